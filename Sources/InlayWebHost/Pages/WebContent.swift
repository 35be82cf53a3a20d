public import Foundation

/// A file that a host fetched, with its media type.
public struct WebContent: Sendable {
    /// The media type, for example `image/png`.
    public var mediaType: String
    /// The bytes.
    public var data: Data

    /// Creates content with a type.
    public init(mediaType: String, data: Data) {
        self.mediaType = mediaType
        self.data = data
    }
}
