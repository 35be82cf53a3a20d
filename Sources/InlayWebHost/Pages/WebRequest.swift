/// A request of a page, or of a document in one of its frames, for a file.
@_spi(Inlay) public struct WebRequest: Sendable {
    /// The HTTP method.
    public var method: String
    /// The path, and the query after a question mark.
    public var target: String
    /// The scheme and the authority under which the page knows its host, such as `http://127.0.0.1:8080`.
    public var origin: String
    /// The header field `Range`, where there is one.
    public var range: String?
    /// The header field `Sec-Fetch-Dest`: the kind of element that shows the answer.
    public var destination: String?

    /// A request with its parts.
    public init(
        method: String = "GET", target: String, origin: String, range: String? = nil,
        destination: String? = nil
    ) {
        self.method = method
        self.target = target
        self.origin = origin
        self.range = range
        self.destination = destination
    }

    /// Whether the browser would show the answer as a document.
    var isForDocument: Bool {
        ["document", "iframe", "frame", "object", "embed"].contains(destination ?? "")
    }
}
