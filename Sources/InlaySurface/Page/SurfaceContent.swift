public import Foundation

/// A file of a surface's own content.
public struct SurfaceContent: Sendable {
    /// The type of the bytes, set by the surface; hosts never guess it.
    public var mediaType: String
    /// The bytes.
    public var data: Data
    /// The restrictions of a document that may be shown in a frame; `nil` for all other files, which are then never
    /// shown as a document.
    @_spi(Inlay) public var rules: (any FramePolicy)?

    /// Creates a file; only a document has rules.
    @_spi(Inlay) public init(mediaType: String, data: Data, rules: (any FramePolicy)? = nil) {
        self.mediaType = mediaType
        self.data = data
        self.rules = rules
    }

    /// Returns the document's bytes as a frame receives them.
    ///
    /// - Parameter prefix: The URL below which this surface's files are, ending with a slash.
    public func closed(prefix: String) throws -> Data {
        try rules?.prepared(data, prefix: prefix) ?? data
    }
}

/// The error of a path without a file.
@_spi(Inlay) public struct SurfaceContentMissing: Error, Hashable {
    /// Creates the error.
    public init() {}
}
