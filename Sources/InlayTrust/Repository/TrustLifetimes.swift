/// How long published metadata is believed.
public struct TrustLifetimes: Sendable, Equatable {
    /// Of a root; rotate before it ends.
    public var root: Duration = .seconds(365 * 86_400)
    /// Of targets metadata.
    public var targets: Duration = .seconds(90 * 86_400)
    /// Of a snapshot.
    public var snapshot: Duration = .seconds(30 * 86_400)
    /// Of a timestamp: how long somebody in the middle can hide a newer version.
    public var timestamp: Duration = .seconds(7 * 86_400)

    /// The defaults.
    public init() {}
}
