import InlayEngage
@_spi(Inlay) import InlayTesting

/// An augmentation plug-in whose readiness and result a test determines.
@MainActor final class ScriptedPlugin: UBFAugmentationPlugin {
    var isReady = true
    private(set) var readinessChecks = 0
    /// The params of the processed events, in the order of processing.
    private(set) var processed: [[String: String]] = []
    private let isSynchronous: Bool
    private let body: @MainActor (UBF) -> UBF

    init(synchronous: Bool = true, _ body: @escaping @MainActor (UBF) -> UBF = { $0 }) {
        (isSynchronous, self.body) = (synchronous, body)
    }

    /// A plug-in that adds one param.
    static func adding(_ name: String, synchronous: Bool = true) -> ScriptedPlugin {
        ScriptedPlugin(synchronous: synchronous) { event in
            event.addParam(name, "added")
            return event
        }
    }

    /// Advances the clock to the next readiness check, `times` times.
    func untilCheckedAgain(_ fixture: EngageFixture, times: Int = 1) async throws {
        for _ in 0..<times {
            let before = readinessChecks
            try await fixture.clock.untilSleeping(for: .milliseconds(100))
            fixture.clock.advance(by: .milliseconds(100))
            try await eventually { readinessChecks > before }
        }
    }

    func setContext(_ context: EngageContext) {}

    func isSupplementalDataReady() -> Bool {
        readinessChecks += 1
        return isReady
    }

    func processSyncronously() -> Bool { isSynchronous }

    func process(_ ubf: UBF) -> UBF {
        processed.append(ubf.params)
        return body(ubf)
    }
}
