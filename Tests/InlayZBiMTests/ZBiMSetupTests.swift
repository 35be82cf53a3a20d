import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayZBiM
import Testing

extension ZBiMTests {
    @Suite @MainActor struct Setup {
        @Test func `the five steps of the quick start bring a hub on screen`() async throws {
            let fixture = try ZBiMFixture()
            try fixture.publish(.harbor(1))
            ZBiM.start()
            if ZBiM.activeUser() == nil {
                let userID = ZBiM.generateDefaultUserId()
                do {
                    try ZBiM.createUser(userID, withTags: nil)
                    try ZBiM.setActiveUser(userID)
                } catch {
                    Issue.record("Failed setting up the user: \(error)")
                }
            }
            let end = await fixture.completion { ZBiM.presentHub(withTags: nil, completion: $0) }
            #expect(end.success && end.error == nil && fixture.page == "hub:hub/sea")
            #expect(ZBiM.isDisplayingContentHub())
        }

        @Test func `all content is requested below dbServiceUrl`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            #expect(!fixture.contentRequests.isEmpty)
            let requests = fixture.server.requests.filter { $0.url.path.contains("/hub/") }
            #expect(
                requests.allSatisfy { $0.url.absoluteString.hasPrefix("https://hub.test/v1/hub/env/harbor/") }
            )
        }

        @Test(arguments: [
            nil, ["applID": "77", "metricsReportingQueueId": "q1"],
            ["dbServiceUrl": "nowhere", "applID": "77", "metricsReportingQueueId": "q1"],
        ])
        func `without a valid dbServiceUrl nothing is requested, and the log has the reason`(
            config: [String: String]?
        )
            async throws
        {
            let fixture = try ZBiMFixture(config: config)
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            ZBiM.start()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.invalidState.rawValue)
            #expect(fixture.server.requests.isEmpty && !ZBiM.isReady())
            let word = config == nil ? "zbimconfig.plist" : "dbServiceUrl"
            #expect(log.lines.contains { $0.contains(word) })
        }

        @Test func `a corrupt or differently named configuration is not used`() async throws {
            for name in ["zbimconfig.plist", "other.plist"] {
                let fixture = try ZBiMFixture(config: nil)
                let data =
                    name == "other.plist"
                    ? try PropertyListSerialization.data(
                        fromPropertyList: ZBiMFixture.config, format: .xml, options: 0) : Data("no list".utf8)
                try data.write(to: fixture.resources.url.appendingPathComponent(name))
                let log = LogRecorder()
                ZBiM.setLoggingDelegate(log)
                ZBiM.start()
                #expect(!log.lines.isEmpty && !ZBiM.isReady() && fixture.server.requests.isEmpty)
            }
        }

        @Test(arguments: ["applID", "metricsReportingQueueId"])
        func `without an id for metrics the hub works, sends none, and logs the missing key`(key: String)
            async throws
        {
            var config = ZBiMFixture.config
            config[key] = nil
            let fixture = try ZBiMFixture(config: config)
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            try await fixture.ready()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success && end.error == nil)
            fixture.clock.advance(by: .seconds(60))
            #expect(try await fixture.metrics().isEmpty)
            #expect(log.lines.contains { $0.contains(key) })
            // If this run had stored metrics, the next start, with both ids, would send them before its own.
            let again = try ZBiMFixture(after: fixture)
            again.publisher.serve(on: again.server)
            ZBiM.start()
            try await eventually { ZBiM.isReady() }
            _ = await again.completion { ZBiM.presentHub($0) }
            try again.presentation?.dismiss()
            try await eventually { try await again.metrics().contains { $0.name == "hub-dismissed" } }
            #expect(try await again.metrics().filter { $0.name == "hub-presented" }.count == 1)
            #expect(fixture.server.requests(InlayPath.analytics).isEmpty)
        }

        @Test func `exactly three keys are read, and another changes nothing`() async throws {
            #expect(ZBiMConfig.keys == ["dbServiceUrl", "applID", "metricsReportingQueueId"])
            var config = ZBiMFixture.config
            config["foo"] = "bar"
            let fixture = try ZBiMFixture(config: config)
            let read = ZBiMConfig(resources: fixture.resources.url)
            #expect(read.values == ZBiMFixture.config && read.problems.isEmpty)
            try await fixture.ready()
        }

        @Test func `metrics carry the app's id and name its queue`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            _ = await fixture.completion { ZBiM.presentHub($0) }
            try await eventually { try await !fixture.metrics().isEmpty }
            let events = try await fixture.metrics()
            #expect(
                events.allSatisfy { $0.properties["application"] == "77" && $0.properties["queue"] == "q1" })
        }

        @Test func `without pubkey.der, or with one that is no key, nothing is accepted`() async throws {
            for data in [nil, Data(), Data("no key".utf8)] as [Data?] {
                let fixture = try ZBiMFixture(key: false)
                try data?.write(to: fixture.resources.url.appendingPathComponent("pubkey.der"))
                let log = LogRecorder()
                ZBiM.setLoggingDelegate(log)
                try fixture.publish(.harbor(1))
                ZBiM.start()
                let end = await fixture.completion { ZBiM.presentHub($0) }
                #expect(!end.success && end.error != nil && !ZBiM.isReady() && !log.lines.isEmpty)
                #expect(ZBiM.isDisplayingContentHub())
            }
        }

        @Test func `a valid key under another name than pubkey.der is not read`() async throws {
            let fixture = try ZBiMFixture()
            func move(_ name: String, to other: String) throws {
                let folder = fixture.resources.url
                try FileManager.default.moveItem(
                    at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(other))
            }
            try move("pubkey.der", to: "pubkey2.der")
            try fixture.publish(.harbor(1))
            ZBiM.start()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && end.error != nil && !ZBiM.isReady())
            // With the right name the same key is accepted.
            try move("pubkey2.der", to: "pubkey.der")
            fixture.restart()
            ZBiM.start()
            try await eventually { ZBiM.isReady() }
            let again = await fixture.completion { ZBiM.presentHub($0) }
            #expect(again.success)
        }

        @Test func `content signed with another app's key is refused`() async throws {
            let fixture = try ZBiMFixture()
            let other = try TestPublisher()
            try other.publish(.harbor(1))
            other.serve(on: fixture.server)
            ZBiM.start()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.missingContent.rawValue && !ZBiM.isReady())
        }

        @Test func `plain http is refused for content`() async throws {
            var config = ZBiMFixture.config
            config["dbServiceUrl"] = "http://hub.test/v1/hub/env/harbor"
            let fixture = try ZBiMFixture(config: config)
            try fixture.publish(.harbor(1))
            ZBiM.start()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && fixture.contentRequests.isEmpty && !ZBiM.isReady())
        }

        @Test func `before the start every call fails with an error, and none crashes`() async throws {
            let fixture = try ZBiMFixture()
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.invalidState.rawValue)
            #expect(throws: NSError.self) { try ZBiM.createUser("a", withTags: nil) }
            #expect(throws: NSError.self) { try ZBiM.setActiveUser("a") }
            #expect(ZBiM.activeUser() == nil && ZBiM.getAllUsers().isEmpty)
            #expect(!ZBiM.isReady() && !ZBiM.isDisplayingContentHub() && !ZBiM.isDownloadingContent())
            #expect(fixture.server.requests.isEmpty)
        }

        @Test func `a second start changes nothing`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try fixture.activate("a")
            let before = fixture.contentRequests.count
            let session = ZBiMRuntime.shared.session
            ZBiM.start()
            // A second start would open its session and send its first request before a later event is handled.
            try await fixture.settled()
            #expect(ZBiMRuntime.shared.session === session && ZBiM.activeUser() == "a")
            #expect(fixture.contentRequests.count == before)
        }

        @Test func `the start returns at once, also when the server hangs`() async throws {
            let fixture = try ZBiMFixture()
            fixture.server.hold(fixture.publisher.metadataPath("1.root.json"))
            ZBiM.start()
            try fixture.activate("a")
            #expect(ZBiM.activeUser() == "a" && !ZBiM.isReady())
            try await fixture.server.untilHeld(fixture.publisher.metadataPath("1.root.json"))
        }
    }
}

/// A logging delegate that records its messages.
final class LogRecorder: ZBiMLoggingDelegate {
    struct Entry: Sendable {
        var text: String
        var severity: ZBiMSeverityLevel
        var verbosity: ZBiMVerbosityLevel
    }

    private let kept = Locked<[Entry]>([])

    func log(_ message: String, severityLevel: ZBiMSeverityLevel, verbosityLevel: ZBiMVerbosityLevel) {
        let entry = Entry(text: message, severity: severityLevel, verbosity: verbosityLevel)
        kept.withLock { $0.append(entry) }
    }

    var entries: [Entry] { kept.withLock { $0 } }
    var lines: [String] { entries.map(\.text) }
    var severities: [ZBiMSeverityLevel] { entries.map(\.severity) }
}
