/// The two engines.
public enum SQLEngine: String, Sendable, CaseIterable {
    /// One file on this machine, no set-up.
    case sqlite
    /// A server that several nodes share.
    case postgresql
}
