public import Foundation

/// A store that keeps the log-in across restarts of the app. The data are secret: no other app may read them.
public protocol AccountVault: Sendable {
    /// Returns the data that were saved last; `nil` when there are none.
    func load() async throws -> Data?

    /// Replaces the stored data; `nil` removes them. Returns when a crash cannot undo the change.
    func save(_ data: Data?) async throws
}
