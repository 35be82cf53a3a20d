public import Foundation

/// The header or the claims of a JSON Web Token (RFC 7519), read in the same way by the SDK and by the server.
///
/// Only the server can verify that a token is genuine and meant for this environment.
@_spi(Inlay) public struct TokenPart: Hashable, Sendable {
    /// The maximum length of a token, in bytes.
    public static let maximumTokenBytes = 16_384

    /// The error for a claim that is present and no number of seconds.
    public struct UnreadableMoment: Error, Hashable {
        public let claim: String
    }

    private let members: [String: JSONValue]

    /// Reads one part of a token; `nil` unless it is a JSON object in base64url.
    public init?(base64URL text: some StringProtocol) {
        guard let bytes = Data(base64URL: text),
            let members = try? JSONDecoder().decode([String: JSONValue].self, from: bytes)
        else { return nil }
        self.members = members
    }

    /// A member by its name.
    public subscript(name: String) -> JSONValue? { members[name] }

    /// Returns the id of the user in a claim; `nil` when the claim has none.
    ///
    /// A text must meet the ``IDRule`` and is used unchanged. A whole number of 64 bits becomes its decimal digits:
    /// JSON does not distinguish `4711`, `4711.0` and `4.711e3`. Booleans, fractions and larger numbers are refused,
    /// because JSON readers change the digits of such numbers.
    public func userID(_ claim: String) -> String? {
        switch members[claim] {
        case .string(let text): IDRule.admitsInToken(text) ? text : nil
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// Returns the time of `exp`, `nbf` or `iat`: a number of seconds since 1970, with or without a fraction; `nil`
    /// when the claim is absent or null.
    ///
    /// - Throws: ``UnreadableMoment`` for another type, because an unreadable limit must not count as no limit.
    public func moment(_ claim: String) throws(UnreadableMoment) -> Timestamp? {
        switch members[claim] {
        case nil, .null: return nil
        case .integer(let seconds): return Timestamp(seconds: Double(seconds))
        case .number(let seconds): return Timestamp(seconds: seconds)
        default: throw UnreadableMoment(claim: claim)
        }
    }

    /// Whether `aud` contains an audience: a string, or a list of strings (RFC 7519, section 4.1.3).
    public func isMeant(for audience: String) -> Bool {
        switch members["aud"] {
        case .string(let text): text == audience
        case .array(let values): values.contains { $0.string == audience }
        default: false
        }
    }
}

extension Data {
    /// Decodes base64url (RFC 7515, section 2) without padding and the standard alphabet, so that a token has one
    /// spelling.
    @_spi(Inlay) public init?(base64URL text: some StringProtocol) {
        guard text.utf8.count % 4 != 1, text.utf8.allSatisfy({ !"+/=".utf8.contains($0) }) else { return nil }
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: standard + padding)
    }
}
