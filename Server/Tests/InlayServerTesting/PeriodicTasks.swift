@testable import InlayServerCore

extension ServerFeature {
    /// Runs each periodic task once, also behind one that fails.
    func runPeriodicTasks() async {
        for task in periodicTasks { try? await task.run() }
    }
}
