public import Foundation

/// A store in which a log-in outlives the app's run. It holds secrets: it must belong to this app alone.
public protocol AccountVault: Sendable {
    /// The data that was saved last; `nil` when there is none.
    func load() async throws -> Data?

    /// Keeps the data in place of what was there; `nil` removes it. Returns when a crash cannot undo it.
    func save(_ data: Data?) async throws
}
