/// The id of an ``AppEnvironment``; who holds one may reach the environment's rows.
///
/// It cannot be decoded from a request and not be made of a caller's text without saying ``init(verified:)``. So a
/// route handler has the environment of the request's identity and no other, and every store asks for one. The lint
/// lists the places that may verify a text.
package struct EnvironmentID: Identifier {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

extension EnvironmentID {
    /// In the place of an id where a row belongs to no environment: no environment has this id.
    package static let noEnvironment = EnvironmentID(verified: "")

    /// The environment that a notification names; `nil` for the empty one, which says that some were lost.
    package init?(notification payload: String) {
        guard !payload.isEmpty else { return nil }
        self.init(verified: payload)
    }
}
