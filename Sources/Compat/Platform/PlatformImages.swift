#if !canImport(UIKit)
    public import Foundation

    /// A substitute for UIKit's image on systems without UIKit: the bytes of an image file.
    open class UIImage: NSObject, @unchecked Sendable {
        // `@unchecked`: the bytes never change.
        private let bytes: Data

        /// Creates an image from the bytes of a file; `nil` when they are empty. The bytes are not decoded.
        public init?(data: Data) {
            guard !data.isEmpty else { return nil }
            bytes = data
        }

        /// Returns the bytes of the file, whatever its format.
        open func pngData() -> Data? { bytes }
    }
#endif
