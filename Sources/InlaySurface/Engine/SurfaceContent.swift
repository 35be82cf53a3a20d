public import Foundation

/// A file of a surface's own content.
public struct SurfaceContent: Sendable {
    /// What the bytes are, as the surface knows it; a host never guesses.
    public var mediaType: String
    /// The bytes.
    public var data: Data
    /// For a document that may be shown in a frame: what it may do. `nil` for every other file, which is
    /// then never shown as a document.
    public var rules: FrameRules?

    /// Bytes with their type; a document has rules.
    public init(mediaType: String, data: Data, rules: FrameRules? = nil) {
        self.mediaType = mediaType
        self.data = data
        self.rules = rules
    }

    /// The document's bytes as a frame gets them: closed by ``FrameDocument``.
    ///
    /// - Parameter prefix: the address below which this surface's files are, ending with a slash.
    public func closed(prefix: String) throws -> Data {
        guard let rules else { return data }
        return try FrameDocument.prepared(data, prefix: prefix, rules: rules)
    }
}

/// There is no file with this path.
public struct SurfaceContentMissing: Error, Hashable {
    /// The error.
    public init() {}
}
