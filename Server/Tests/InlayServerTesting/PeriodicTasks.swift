@testable import InlayServerCore

extension ServerFeature {
    /// Runs each periodic task once; throws the first error.
    func runPeriodicTasks() async throws {
        for task in periodicTasks { try await task.run() }
    }
}
