public import Foundation

/// Bytes with their media type, as a host fetched them.
public struct WebContent: Sendable {
    /// For example `image/png`.
    public var mediaType: String
    /// The bytes.
    public var data: Data

    /// Content with its type.
    public init(mediaType: String, data: Data) {
        self.mediaType = mediaType
        self.data = data
    }
}
