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
            let stage = try ZBiMStage()
            try stage.publish(.harbor(1))
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
            let end = await stage.ended { ZBiM.presentHub(withTags: nil, completion: $0) }
            #expect(end.success && end.error == nil && stage.page == "hub:hub/sea")
            #expect(ZBiM.isDisplayingContentHub())
        }

        @Test func `all content is asked for at dbServiceUrl, in its environment and source`() async throws {
            let stage = try ZBiMStage()
            try await stage.ready()
            #expect(!stage.contentRequests.isEmpty)
            let requests = stage.server.requests.filter { $0.url.path.contains("/hub/") }
            #expect(
                requests.allSatisfy { $0.url.absoluteString.hasPrefix("https://hub.test/v1/hub/env/harbor/") }
            )
        }

        @Test(arguments: [
            nil, ["applID": "77", "metricsReportingQueueId": "q1"],
            ["dbServiceUrl": "nowhere", "applID": "77", "metricsReportingQueueId": "q1"],
        ])
        func `without a usable dbServiceUrl nothing is asked for, and the log says why`(
            config: [String: String]?
        )
            async throws
        {
            let stage = try ZBiMStage(config: config)
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            ZBiM.start()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.invalidState.rawValue)
            #expect(stage.server.requests.isEmpty && !ZBiM.isReady())
            let word = config == nil ? "zbimconfig.plist" : "dbServiceUrl"
            #expect(log.lines.contains { $0.contains(word) })
        }

        @Test func `a corrupt configuration, or one by another name, is as good as none`() async throws {
            for name in ["zbimconfig.plist", "other.plist"] {
                let stage = try ZBiMStage(config: nil)
                let data =
                    name == "other.plist"
                    ? try PropertyListSerialization.data(
                        fromPropertyList: ZBiMStage.config, format: .xml, options: 0) : Data("no list".utf8)
                try data.write(to: stage.resources.url.appendingPathComponent(name))
                let log = LogRecorder()
                ZBiM.setLoggingDelegate(log)
                ZBiM.start()
                #expect(!log.lines.isEmpty && !ZBiM.isReady() && stage.server.requests.isEmpty)
            }
        }

        @Test(arguments: ["applID", "metricsReportingQueueId"])
        func `without an id of metrics the hub works, nothing is reported, and the log says so`(key: String)
            async throws
        {
            var config = ZBiMStage.config
            config[key] = nil
            let stage = try ZBiMStage(config: config)
            let log = LogRecorder()
            ZBiM.setLoggingDelegate(log)
            try await stage.ready()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(end.success && end.error == nil)
            stage.clock.advance(by: .seconds(60))
            #expect(try await stage.metrics().isEmpty)
            #expect(log.lines.contains { $0.contains(key) })
        }

        @Test func `exactly three keys are read, and another changes nothing`() async throws {
            #expect(ZBiMConfig.keys == ["dbServiceUrl", "applID", "metricsReportingQueueId"])
            var config = ZBiMStage.config
            config["foo"] = "bar"
            let stage = try ZBiMStage(config: config)
            try await stage.ready()
        }

        @Test func `metrics carry the app's id and name its queue`() async throws {
            let stage = try ZBiMStage()
            try await stage.ready()
            _ = await stage.ended { ZBiM.presentHub($0) }
            try await eventually { try await !stage.metrics().isEmpty }
            let events = try await stage.metrics()
            #expect(
                events.allSatisfy { $0.properties["application"] == "77" && $0.properties["queue"] == "q1" })
        }

        @Test func `without pubkey.der, or with one that is no key, nothing is accepted`() async throws {
            for data in [nil, Data(), Data("no key".utf8)] as [Data?] {
                let stage = try ZBiMStage(key: false)
                try data?.write(to: stage.resources.url.appendingPathComponent("pubkey.der"))
                let log = LogRecorder()
                ZBiM.setLoggingDelegate(log)
                try stage.publish(.harbor(1))
                ZBiM.start()
                let end = await stage.ended { ZBiM.presentHub($0) }
                #expect(!end.success && end.error != nil && !ZBiM.isReady() && !log.lines.isEmpty)
                #expect(ZBiM.isDisplayingContentHub())
            }
        }

        @Test func `a valid key under another name than pubkey.der is not read`() async throws {
            let stage = try ZBiMStage()
            func move(_ name: String, to other: String) throws {
                let folder = stage.resources.url
                try FileManager.default.moveItem(
                    at: folder.appendingPathComponent(name), to: folder.appendingPathComponent(other))
            }
            try move("pubkey.der", to: "pubkey2.der")
            try stage.publish(.harbor(1))
            ZBiM.start()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(!end.success && end.error != nil && !ZBiM.isReady())
            // It was the name alone.
            try move("pubkey2.der", to: "pubkey.der")
            stage.restart()
            ZBiM.start()
            try await eventually { ZBiM.isReady() }
            let again = await stage.ended { ZBiM.presentHub($0) }
            #expect(again.success)
        }

        @Test func `what the key of another app signed is refused`() async throws {
            let stage = try ZBiMStage()
            let other = try TestPublisher()
            try other.publish(.harbor(1))
            other.serve(on: stage.server)
            ZBiM.start()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.missingContent.rawValue && !ZBiM.isReady())
        }

        @Test func `plain http is refused for content`() async throws {
            var config = ZBiMStage.config
            config["dbServiceUrl"] = "http://hub.test/v1/hub/env/harbor"
            let stage = try ZBiMStage(config: config)
            try stage.publish(.harbor(1))
            ZBiM.start()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(!end.success && stage.contentRequests.isEmpty && !ZBiM.isReady())
        }

        @Test func `before the start every call fails with an error, and none crashes`() async throws {
            let stage = try ZBiMStage()
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(!end.success && end.error?.code == ZBiMError.invalidState.rawValue)
            #expect(throws: NSError.self) { try ZBiM.createUser("a", withTags: nil) }
            #expect(throws: NSError.self) { try ZBiM.setActiveUser("a") }
            #expect(ZBiM.activeUser() == nil && ZBiM.getAllUsers().isEmpty)
            #expect(!ZBiM.isReady() && !ZBiM.isDisplayingContentHub() && !ZBiM.isDownloadingContent())
            #expect(stage.server.requests.isEmpty)
        }

        @Test func `a second start changes nothing`() async throws {
            let stage = try ZBiMStage()
            try await stage.ready()
            try stage.activate("a")
            let before = stage.contentRequests.count
            let session = ZBiMHost.shared.session
            ZBiM.start()
            #expect(ZBiMHost.shared.session === session && ZBiM.activeUser() == "a")
            #expect(stage.contentRequests.count == before)
        }

        @Test func `the start returns at once, also when the server hangs`() async throws {
            let stage = try ZBiMStage()
            stage.server.hold(stage.publisher.metadataPath("1.root.json"))
            ZBiM.start()
            try stage.activate("a")
            #expect(ZBiM.activeUser() == "a" && !ZBiM.isReady())
            try await stage.server.untilHeld(stage.publisher.metadataPath("1.root.json"))
        }
    }
}

/// Keeps what was logged.
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
