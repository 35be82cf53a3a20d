/// A database engine.
public enum SQLEngine: String, Sendable, CaseIterable {
    /// One file on this machine, without configuration.
    case sqlite
    /// A database server that several nodes share.
    case postgresql
}
