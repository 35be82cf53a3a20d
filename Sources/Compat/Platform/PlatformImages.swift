#if !canImport(UIKit)
    public import Foundation

    /// Stands in for UIKit's image where there is no UIKit: the bytes of a picture.
    open class UIImage: NSObject, @unchecked Sendable {
        // `@unchecked`: the bytes never change.
        private let bytes: Data

        /// An image from the bytes of a file; `nil` when there are none.
        public init?(data: Data) {
            guard !data.isEmpty else { return nil }
            bytes = data
        }

        /// The bytes that it was made from.
        open func pngData() -> Data? { bytes }
    }
#endif
