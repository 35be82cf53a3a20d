public import Foundation

/// Where a log-in outlives the app's run. Holds secrets: whatever keeps them must be this app's alone.
public protocol AccountVault: Sendable {
    /// What was saved last; `nil` when there is nothing.
    func load() async throws -> Data?

    /// Keeps the data in place of what was there; `nil` removes it. Returns when a crash cannot undo it.
    func save(_ data: Data?) async throws
}
