public import Foundation

/// A client for HTTP requests and WebSockets.
///
/// A transport only moves bytes: it never retries, follows no redirect to another host, stores no cookies and knows no
/// token. `RequestGate` has decided before whether the request may be sent; its pins come in `TransportRequest.pins`,
/// and a transport that cannot check them must refuse the request.
public protocol Transport: Sendable {
    /// Sends one request and reads the whole answer, whatever its status.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Opens a WebSocket; returns when the upgrade is done.
    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket
}

/// A request for a transport, also for the upgrade to a socket.
public struct TransportRequest: Sendable {
    /// The HTTP method in upper case; ignored for a socket.
    public var method: String
    /// An absolute http or https address; a socket uses ws or wss at the same place.
    public var url: URL
    /// Header fields by name.
    public var headers: [String: String]
    /// The body, if any.
    public var body: Data?
    /// The maximum time from the start of the call to the end of the answer; default 30 s.
    public var timeout: Duration
    /// The maximum bytes of an answer's body, or of a message of a socket; default 8 MiB.
    public var maximumResponseBytes: Int
    /// The pins of which a certificate of the server's chain must match one; `nil` accepts every valid chain.
    public var pins: Set<CertificatePin>?

    /// A request with the default limits.
    public init(
        method: String = "GET", url: URL, headers: [String: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(30), maximumResponseBytes: Int = 8 << 20,
        pins: Set<CertificatePin>? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
        self.pins = pins
    }
}

/// The answer to a request, with its whole body.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Header fields by name in lower case.
    public var headers: [String: String]
    /// The whole body.
    public var body: Data

    /// An answer with its parts; names of header fields become lower case.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { _, last in last }
        self.body = body
    }
}

/// An open WebSocket that carries text.
public protocol TransportSocket: Sendable {
    /// The incoming messages, for one reader. The stream ends when either side closes, and throws when the connection
    /// breaks.
    var messages: AsyncThrowingStream<String, any Error> { get }

    /// Sends one text message.
    func send(_ text: String) async throws(TransportError)

    /// Closes the socket; safe to call twice.
    func close() async
}

/// The reason why a request or a socket failed.
public enum TransportError: Error, Hashable, Sendable {
    /// The gate denied the address.
    case denied
    /// No certificate of the chain matched a pin.
    case pinMismatch
    /// The server's certificate is not valid for this host.
    case untrusted(String)
    /// No connection: offline, no such host, refused.
    case unreachable(String)
    /// No whole answer came within the timeout.
    case timedOut
    /// The connection broke before the answer was whole.
    case cut(String)
    /// The answer was larger than the request allowed.
    case tooLarge
    /// The server answered the upgrade to a WebSocket with this status.
    case upgradeRefused(status: Int)
    /// This transport does not support the request, for example its pins or sockets.
    case unsupported(String)
    /// The caller was cancelled.
    case cancelled
}
