/// The server's reason for refusing a request: RFC 9457 problem details with a stable `code`.
public struct Problem: Codable, Hashable, Sendable, Error {
    /// The media type of a problem document.
    public static let mediaType = "application/problem+json"

    /// A stable name to branch on, for example `token-expired`.
    public var code: Code

    /// The HTTP status of the response.
    public var status: Int

    /// One sentence for people that says what is wrong.
    public var title: String

    /// The remedy, and the wrong value where that helps. Never contains a secret.
    public var detail: String?

    /// The problems of single fields, when the request is a form.
    public var fields: [FieldProblem]?

    /// Creates a problem.
    public init(
        _ code: Code, status: Int, title: String, detail: String? = nil, fields: [FieldProblem]? = nil
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.fields = fields
    }

    /// A stable name of a kind of problem. The set grows; unknown codes are kept as they are.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        /// A code by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Problem.Code {
    /// The body is not JSON, or not of the documented shape.
    public static let malformedBody = Self(rawValue: "malformed-body")
    /// The body is larger than the route's limit, 1 MiB unless the route's documentation says otherwise.
    public static let bodyTooLarge = Self(rawValue: "body-too-large")
    /// The route does not read this `Content-Type`.
    public static let unsupportedMediaType = Self(rawValue: "unsupported-media-type")
    /// A field has a value outside its limits.
    public static let invalidValue = Self(rawValue: "invalid-value")
    /// A submission does not fit the layout of its card; `fields` has the problems.
    public static let invalidSubmission = Self(rawValue: "invalid-submission")
    /// The environment has no such object.
    public static let notFound = Self(rawValue: "not-found")
    /// The object changed meanwhile, or exists already.
    public static let conflict = Self(rawValue: "conflict")
    /// Too many requests; wait for `Retry-After`.
    public static let rateLimited = Self(rawValue: "rate-limited")
    /// The environment id or API key is missing or unknown.
    public static let unknownKey = Self(rawValue: "unknown-key")
    /// No bearer token came with the request.
    public static let tokenMissing = Self(rawValue: "token-missing")
    /// The token is not a well-formed JWT.
    public static let tokenMalformed = Self(rawValue: "token-malformed")
    /// The signature does not verify with the environment's keys.
    public static let tokenWrongKey = Self(rawValue: "token-wrong-key")
    /// The token's `exp` has passed, or its life is longer than the environment allows.
    public static let tokenExpired = Self(rawValue: "token-expired")
    /// The token's `nbf` lies in the future.
    public static let tokenNotYetValid = Self(rawValue: "token-not-yet-valid")
    /// The algorithm is `none` or not one of ES256, RS256, EdDSA.
    public static let tokenWrongAlgorithm = Self(rawValue: "token-wrong-algorithm")
    /// The token's `aud` or `iss` is not what the environment expects.
    public static let tokenWrongAudience = Self(rawValue: "token-wrong-audience")
    /// The token has no user id in the configured claim.
    public static let tokenNoUser = Self(rawValue: "token-no-user")
    /// The operator or user is signed in, but may not do this.
    public static let forbidden = Self(rawValue: "forbidden")
    /// The server failed; the request may be sent again.
    public static let serverError = Self(rawValue: "server-error")
    /// The server cannot answer now; wait for `Retry-After`.
    public static let unavailable = Self(rawValue: "unavailable")
}
