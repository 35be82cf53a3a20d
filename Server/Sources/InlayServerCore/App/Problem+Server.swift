@_spi(Inlay) package import InlayWire

extension Problem {
    /// No such route or object; the same words for both, so that ids cannot be probed.
    package static let notFound = Problem(.notFound, status: 404, title: "There is nothing at this address.")

    /// An object that does not exist in the caller's environment.
    package static func notFound(_ what: String) -> Problem {
        Problem(.notFound, status: 404, title: "There is no such \(what) in this environment.")
    }

    /// An object of the server, such as an operator or an environment, that does not exist.
    package static func notFound(_ what: String, named name: String) -> Problem {
        Problem(.notFound, status: 404, title: "There is no \(what) \"\(name.prefix(scalars: 64))\".")
    }

    /// A field with a value outside its limits.
    package static func invalidValue(_ field: String, _ rule: String) -> Problem {
        Problem(.invalidValue, status: 422, title: "The value of \(field) cannot be used.", detail: rule)
    }

    /// A body that is not JSON or not of the documented shape.
    package static func malformedBody(_ detail: String) -> Problem {
        Problem(.malformedBody, status: 400, title: "The body could not be read.", detail: detail)
    }

    /// A body over the limit of its route.
    package static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            .bodyTooLarge, status: 413, title: "The body is too large.",
            detail: "At most \(limit) bytes; send fewer items at a time.")
    }

    /// The route exists, but not with this method.
    package static let methodNotAllowed = Problem(
        .methodNotAllowed, status: 405, title: "This address does not support this method.",
        detail: "The Allow header lists the supported methods.")

    /// The server failed. What failed is in its log, not in the answer.
    package static let serverError = Problem(
        .serverError, status: 500, title: "The server failed.",
        detail: "It has been logged. The request may be sent again.")

    /// The server cannot answer now.
    package static let unavailable = Problem(
        .unavailable, status: 503, title: "The server is not available.",
        detail: "Send the request again later.")

    /// Too many requests.
    package static let rateLimited = Problem(
        .rateLimited, status: 429, title: "Too many requests.",
        detail: "Wait for the number of seconds in Retry-After.")

    /// Returns the problem for a status that Hummingbird or NIO decided on.
    static func of(status: Int) -> Problem {
        switch status {
        case 404: .notFound
        case 405: .methodNotAllowed
        case 413: .bodyTooLarge(limit: BodyLimit.standard)
        case 415: .unsupportedMediaType
        case 429: .rateLimited
        case 503: .unavailable
        case 400..<500: Problem(.malformedRequest, status: status, title: "The request cannot be answered.")
        default: .serverError
        }
    }

    /// Another media type than the route reads.
    package static let unsupportedMediaType = Problem(
        .unsupportedMediaType, status: 415, title: "The body's Content-Type is not one this address reads.",
        detail: "Send application/json.")
}

extension Problem.Code {
    /// The address exists, but takes other methods.
    package static let methodNotAllowed = Self(rawValue: "method-not-allowed")
    /// The request itself is wrong, in a way that has no code of its own.
    package static let malformedRequest = Self(rawValue: "malformed-request")
    /// The address speaks another protocol; see the `Upgrade` header.
    package static let upgradeRequired = Self(rawValue: "upgrade-required")
}
