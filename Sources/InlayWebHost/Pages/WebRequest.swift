/// A request for a file, sent by a page or by a document in one of its frames.
@_spi(Inlay) public struct WebRequest: Sendable {
    /// The HTTP method.
    public var method: String
    /// The path, with the query after a question mark.
    public var target: String
    /// The scheme and authority by which the page addresses its host, such as `http://127.0.0.1:8080`.
    public var origin: String
    /// The header field `Range`; `nil` when it is missing.
    public var range: String?
    /// The header field `Sec-Fetch-Dest`: the kind of element that uses the reply.
    public var destination: String?

    /// Creates a request.
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

    /// Whether the browser would show the reply as a document.
    var isForDocument: Bool {
        ["document", "iframe", "frame", "object", "embed"].contains(destination ?? "")
    }
}
