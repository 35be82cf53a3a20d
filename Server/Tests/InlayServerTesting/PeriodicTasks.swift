@testable import InlayServerCore

extension ServerFeature {
    /// Runs each periodic task once, and ignores their errors.
    func runPeriodicTasks() async {
        for task in periodicTasks { try? await task.run() }
    }
}
