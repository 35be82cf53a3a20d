@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayCore
@_spi(Inlay) @testable import InlayHub

@Suite struct LogTests {
    /// Writes one message of each severity and verbosity, and returns the messages that the sink received.
    private func received(_ severity: HubLog.Severity, _ verbosity: HubLog.Verbosity) -> [HubLog.Message] {
        let log = HubLog()
        let lines = Locked<[HubLog.Message]>([])
        log.setSink { line in lines.withLock { $0.append(line) } }
        (log.severity, log.verbosity) = (severity, verbosity)
        for severity in HubLog.Severity.allCases.dropFirst() {
            for verbosity in HubLog.Verbosity.allCases.dropFirst() { log.write(severity, verbosity, "x") }
        }
        return lines.withLock { $0 }
    }

    @Test func `levels run from the most to the least restrictive`() {
        #expect(HubLog.Severity.allCases == [.none, .criticalError, .error, .warning, .info])
        #expect(HubLog.Severity.allCases == HubLog.Severity.allCases.sorted())
        #expect(HubLog.Verbosity.allCases == [.none, .debug, .info])
        #expect(HubLog.Verbosity.allCases == HubLog.Verbosity.allCases.sorted())
    }

    @Test func `the default levels are error and debug, and set levels are returned`() {
        let log = HubLog()
        #expect(log.severity == .error && log.verbosity == .debug)
        for severity in HubLog.Severity.allCases {
            log.severity = severity
            #expect(log.severity == severity)
        }
        for verbosity in HubLog.Verbosity.allCases {
            log.verbosity = verbosity
            #expect(log.verbosity == verbosity)
        }
    }

    @Test(arguments: [
        (HubLog.Severity.criticalError, [HubLog.Severity.criticalError]),
        (.error, [.criticalError, .error]),
        (.warning, [.criticalError, .error, .warning]),
        (.info, [.criticalError, .error, .warning, .info]),
    ])
    func `a severity level passes messages of itself and of more severe levels`(
        level: HubLog.Severity, expected: [HubLog.Severity]
    ) {
        #expect(received(level, .info).filter { $0.verbosity == .debug }.map(\.severity) == expected)
        #expect(received(level, .info).filter { $0.verbosity == .info }.map(\.severity) == expected)
    }

    @Test func `the severity none and the verbosity none each turn the log off`() {
        #expect(received(.none, .info).isEmpty)
        #expect(received(.info, .none).isEmpty)
    }

    @Test func `the verbosity debug hides info messages, and info shows both`() {
        #expect(Set(received(.info, .debug).map(\.verbosity)) == [.debug])
        #expect(Set(received(.info, .info).map(\.verbosity)) == [.debug, .info])
        #expect(received(.info, .info).count == 8)
    }

    @Test func `the sink receives only messages that pass both levels`() {
        let kinds = received(.error, .debug).map { "\($0.severity)/\($0.verbosity)" }
        #expect(kinds == ["criticalError/debug", "error/debug"])
    }

    @Test func `the text of a message that does not pass is not evaluated`() {
        let log = HubLog()
        let made = Locked(0)
        func text() -> String {
            made.withLock { $0 += 1 }
            return ""
        }
        log.setSink { _ in }
        log.severity = .none
        log.write(.error, .debug, text())
        log.severity = .info
        log.setSink(nil)
        log.write(.error, .debug, text())
        #expect(made.withLock { $0 } == 0)
        log.setSink { _ in }
        log.write(.error, .debug, text())
        #expect(made.withLock { $0 } == 1)
    }

    @Test func `an update's failure is logged to the app's sink`() async throws {
        let fixture = try await HubFixture.make()
        let lines = Locked<[HubLog.Message]>([])
        fixture.hub.log.setSink { line in lines.withLock { $0.append(line) } }
        try fixture.start()
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(lines.withLock { $0 }.contains { $0.severity == .error && $0.text.contains("update failed") })
    }
}
