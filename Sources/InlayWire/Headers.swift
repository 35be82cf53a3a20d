/// The names of the HTTP headers of the SDK's requests and of the server's responses.
@_spi(Inlay) public enum InlayHeader {
    /// The id of the environment that the app belongs to.
    public static let environment = "Inlay-Environment"
    /// The environment's API key, which is not secret.
    public static let apiKey = "Inlay-Api-Key"
    /// The calling SDK: name, version and platform, for example `inlay-swift/0.1.0 (linux)`.
    public static let sdk = "Inlay-SDK"
    /// The host app's own version, at most 128 characters; `unknown` when the app gave none.
    public static let clientVersion = "Inlay-Client-Version"
    /// The id of an XML operation, by which the server recognizes a copy and does not run it again.
    public static let requestID = "Inlay-Request-Id"
    /// The time of the response by the server's clock, in microseconds since 1970; on every response.
    public static let serverTime = "Inlay-Server-Time"
}

/// Paths of the routes that the SDK calls, relative to the base URL.
@_spi(Inlay) public enum InlayPath {
    /// The WebSocket of a session.
    public static let socket = "/socket"
    /// `POST` of a batch of card actions.
    public static let cardActions = "/v1/cards/actions"
    /// `GET` of the user's card counts.
    public static let cardCounts = "/v1/cards/counts"
    /// `POST` of a batch of analytics events.
    public static let analytics = "/v1/analytics"

    /// `POST` of universal events: an `EventSubmission`.
    public static let eventSubmission = "/rest/events/submission"
    /// `GET` of the events that were refused, with an optional `filter`.
    public static let eventErrors = "/rest/events/errors"
    /// `POST` for an OAuth access token with a refresh token.
    public static let oauthToken = "/oauth/token"
    /// `POST` of an XML operation on contacts.
    public static let xmlAPI = "/XMLAPI"

    /// `GET` of a container's feed.
    public static func cardFeed(container: String) -> String {
        "/v1/cards/containers/\(escaped(container))/feed"
    }

    /// `GET` of a container's appearance.
    public static func cardAppearance(container: String) -> String {
        "/v1/cards/containers/\(escaped(container))/appearance"
    }

    /// Returns a text percent-encoded as one segment of a path.
    static func escaped(_ segment: String) -> String { PercentEncoding.encode(segment) }
}
