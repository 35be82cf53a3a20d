public import Foundation

/// A file of a surface's own content.
public struct SurfaceContent: Sendable {
    /// The type of the bytes, as the surface knows it; a host never guesses.
    public var mediaType: String
    /// The bytes.
    public var data: Data
    /// For a document that may be shown in a frame: what it may do. `nil` for every other file, which is
    /// then never shown as a document.
    @_spi(Inlay) public var rules: (any FramePolicy)?

    /// Bytes with their type; a document has rules.
    @_spi(Inlay) public init(mediaType: String, data: Data, rules: (any FramePolicy)? = nil) {
        self.mediaType = mediaType
        self.data = data
        self.rules = rules
    }

    /// The document's bytes as a frame gets them.
    ///
    /// - Parameter prefix: the address below which this surface's files are, ending with a slash.
    public func closed(prefix: String) throws -> Data {
        try rules?.prepared(data, prefix: prefix) ?? data
    }
}

/// There is no file with this path.
@_spi(Inlay) public struct SurfaceContentMissing: Error, Hashable {
    /// The error.
    public init() {}
}
