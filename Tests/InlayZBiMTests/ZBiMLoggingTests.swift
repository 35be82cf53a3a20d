import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    /// The messages of the app's logging delegate, by the documented levels.
    @Suite @MainActor struct Logging {
        /// Logs one message of every severity and verbosity in a started hub, and returns the kinds of those that
        /// the app's delegate received at these levels.
        private func received(_ severity: ZBiMSeverityLevel, _ verbosity: ZBiMVerbosityLevel) async throws
            -> [String]
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let session = try #require(ZBiMRuntime.shared.session)
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            ZBiM.setSeverityLevel(severity)
            ZBiM.setVerbosityLevel(verbosity)
            for severity in HubLog.Severity.allCases.dropFirst() {
                for verbosity in HubLog.Verbosity.allCases.dropFirst() {
                    session.hub.log.write(severity, verbosity, "a message of the test")
                }
            }
            return log.entries.filter { $0.text == "a message of the test" }.map {
                "\($0.severity)/\($0.verbosity)"
            }
        }

        @Test func `failures are logged to the delegate, and without one nothing happens`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            // Each presentation tries an update, which fails, and shows the stored content.
            ZBiM.setSyncMode(.blocking)
            fixture.server.always(
                fixture.publisher.metadataPath("timestamp.json"), .failure(.unreachable("offline")))
            let log = LogRecorder()
            for (delegate, count) in [(nil, 0), (log, 1), (nil, 1)] as [(LogRecorder?, Int)] {
                if delegate != nil || count > 0 { ZBiM.setLoggingDelegate(delegate) }
                let end = await fixture.completion { ZBiM.presentHub($0) }
                #expect(end.success)
                try fixture.presentation?.dismiss()
                try await eventually { !ZBiM.isDisplayingContentHub() }
                #expect(log.entries.count == count)
            }
            let line = try #require(log.entries.first)
            #expect(line.text.contains("update failed") && line.text.contains("offline"))
            #expect(line.severity == .error && line.verbosity == .debug)
        }

        @Test func `messages outside the levels do not reach the delegate`() throws {
            _ = try ZBiMFixture()
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            let address = try #require(URL(string: "http://h.test/a"))
            ZBiM.whitelistURL(address)
            #expect(log.entries.isEmpty)
            ZBiM.setSeverityLevel(.warning)
            ZBiM.whitelistURL(address)
            #expect(log.severities == [.warning])
        }

        @Test(arguments: [
            (ZBiMLogSeverityNone, []),
            (ZBiMLogSeverityCriticalError, ["criticalError"]),
            (ZBiMLogSeverityError, ["criticalError", "error"]),
            (ZBiMLogSeverityWarning, ["criticalError", "error", "warning"]),
            (ZBiMLogSeverityInfo, ["criticalError", "error", "warning", "info"]),
        ])
        func `a severity level passes messages of itself and of more severe levels to the delegate`(
            level: ZBiMSeverityLevel, expected: [String]
        ) async throws {
            let all = expected.flatMap { ["\($0)/debug", "\($0)/info"] }
            #expect(try await received(level, ZBiMLogVerbosityInfo) == all)
        }

        @Test(arguments: [
            (ZBiMLogVerbosityNone, []), (ZBiMLogVerbosityDebug, ["debug"]),
            (ZBiMLogVerbosityInfo, ["debug", "info"]),
        ])
        func `a verbosity level passes messages of itself and of more restrictive levels to the delegate`(
            level: ZBiMVerbosityLevel, expected: [String]
        ) async throws {
            let severities = ["criticalError", "error", "warning", "info"]
            let all = severities.flatMap { severity in expected.map { "\(severity)/\($0)" } }
            #expect(try await received(ZBiMLogSeverityInfo, level) == all)
        }

        @Test func `a message reaches the delegate only within both levels`() async throws {
            let kinds = try await received(ZBiMLogSeverityError, ZBiMLogVerbosityDebug)
            #expect(kinds == ["criticalError/debug", "error/debug"])
        }
    }
}
