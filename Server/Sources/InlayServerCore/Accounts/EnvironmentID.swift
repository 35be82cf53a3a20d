/// The id of an ``AppEnvironment``; code that has one can reach the environment's rows.
///
/// An id cannot be decoded from a request, and a caller's text becomes one only by ``init(verified:)``. So a route
/// handler has the environment of the request's identity and no other, and every store takes an id. The lint lists the
/// places that may call ``init(verified:)``.
package struct EnvironmentID: Identifier {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

extension EnvironmentID {
    /// The id in rows that belong to no environment: no environment has this id.
    package static let noEnvironment = EnvironmentID(verified: "")

    /// The environment that a notification names; `nil` for an empty payload, which means that notifications were lost.
    package init?(notification payload: String) {
        guard !payload.isEmpty else { return nil }
        self.init(verified: payload)
    }
}
