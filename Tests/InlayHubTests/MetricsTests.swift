import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

@Suite struct MetricsTests {
    private struct System: HubAdvertisingIdentifier {
        let isTrackingLimited: Bool
        let identifier: String? = "system-id"
    }

    private func read(_ fixture: HubFixture) throws {
        let shown = try fixture.hub.present()
        try shown.open(HubReference(.channel, "ferries"))
        try shown.open(HubReference(.article, "first-ferry"))
        shown.follow("hub:article/night-ferry")
        shown.goBack()
        shown.leave(for: "https://example.com/")
        try shown.dismiss()
    }

    /// Returns the names of the files in a folder that contain these words.
    private func files(_ words: String, in folder: TemporaryFolder) throws -> [String] {
        try folder.names.filter { name in
            let file = folder.url.appendingPathComponent(name)
            guard (try file.resourceValues(forKeys: [.isRegularFileKey])).isRegularFile == true else {
                return false
            }
            return try Data(contentsOf: file).range(of: Data(words.utf8)) != nil
        }
    }

    @Test func `each viewed page is counted in order, with its URI, user and time`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("reader")
        try read(fixture)
        let events = try await fixture.untilMetrics(["hub-dismissed"])
        #expect(
            events.map(\.name) == [
                "hub-presented", "hub-content-viewed", "hub-content-viewed", "hub-content-viewed",
                "hub-content-viewed", "hub-content-viewed", "hub-link", "hub-dismissed",
            ])
        let viewed = events.filter { $0.name == "hub-content-viewed" }
        #expect(
            viewed.map { $0.properties["uri"] } == [
                "hub:hub/sea", "hub:channel/ferries", "hub:article/first-ferry", "hub:article/night-ferry",
                "hub:article/first-ferry",
            ])
        #expect(viewed.map { $0.properties["by"] } == ["present", "link", "link", "link", "back"])
        #expect(events.allSatisfy { $0.time == HubFixture.noon && $0.properties["user"] == "reader" })
        #expect(Set(events.map(\.id)).count == events.count)
    }

    @Test func `a view is counted for the exact id of the active user`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("Jane Doe+1@x")
        try fixture.hub.present().dismiss()
        try fixture.activate("b")
        try fixture.hub.present().dismiss()
        try await eventually { try await fixture.untilMetrics(["hub-dismissed"]).count == 6 }
        let users = try fixture.metrics.map { $0.properties["user"] }
        #expect(users == ["Jane Doe+1@x", "Jane Doe+1@x", "Jane Doe+1@x", "b", "b", "b"])
    }

    @Test func `metrics contain only known properties and the app's configured ids`() async throws {
        let fixture = try await HubFixture.ready {
            $0.metrics = HubConfiguration.Metrics(applicationID: "77", queue: "q1")
        }
        try fixture.activate("reader")
        try read(fixture)
        let events = try await fixture.untilMetrics(["hub-dismissed"])
        #expect(events.allSatisfy { $0.properties["application"] == "77" && $0.properties["queue"] == "q1" })
        let known: Set = [
            "user", "application", "queue", "kind", "id", "uri", "title", "by", "version", "form", "link",
            "target",
        ]
        #expect(events.allSatisfy { known.isSuperset(of: $0.properties.keys) })
        let host = ProcessInfo.processInfo.hostName
        for request in fixture.server.requests {
            #expect(!String(decoding: request.body ?? Data(), as: UTF8.self).contains(host))
        }
    }

    @Test func `without metrics the hub works and sends nothing`() async throws {
        let fixture = try await HubFixture.ready { $0.metrics = nil }
        try read(fixture)
        fixture.clock.advance(by: .seconds(60))
        // If the first run had stored metrics, the next start would send them with its own.
        let again = try await fixture.restarted()
        again.publisher.serve(on: again.server)
        try again.start()
        try await again.untilVersion(1)
        try again.hub.present().dismiss()
        let sent = try await again.untilMetrics(["hub-dismissed"]).map(\.name)
        #expect(sent.filter { $0 == "hub-dismissed" }.count == 1 && !sent.contains("hub-link"))
        #expect(fixture.server.requests(InlayPath.analytics).isEmpty)
    }

    @Test func `metrics go out at intervals`() async throws {
        let fixture = try await HubFixture.ready()
        for count in 1...2 {
            try fixture.hub.present().dismiss()
            try await fixture.clock.untilSleeping(for: .seconds(10))
            fixture.clock.advance(by: .seconds(10))
            try await fixture.server.untilRequests(InlayPath.analytics, count)
            // Events that are recorded during a request are sent right after it, without waiting for the interval.
            _ = await fixture.session.outbox.flush(lane: "hub-metrics")
        }
    }

    @Test func `events recorded offline are delivered after a restart, with the same ids`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.server.always(InlayPath.analytics, .failure(.unreachable("airplane mode")))
        try read(fixture)
        try await eventually {
            _ = await fixture.session.outbox.flush(lane: "hub-metrics")
            return try await fixture.session.outbox.pending(lane: "hub-metrics").count == 8
        }
        let again = try await fixture.restarted()
        // The server stores the events, but its response is lost.
        again.server.next(InlayPath.analytics, .failure(.cut("in mid-upload")))
        try again.start()
        try await eventually {
            _ = await again.session.outbox.flush(lane: "hub-metrics")
            return try await again.session.outbox.pending(lane: "hub-metrics").isEmpty
        }
        let ids = try again.metrics.map(\.id)
        #expect(ids.count == 16 && Set(ids).count == 8)
    }

    @Test func `unsent events are stored in a folder with mode 700`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.removeItem(at: folder.url)
        let fixture = try await HubFixture.make(in: folder)
        fixture.server.always(InlayPath.analytics, .failure(.unreachable("offline")))
        try fixture.publish(.harbor(1))
        try fixture.start()
        try await fixture.untilVersion(1)
        try read(fixture)
        try await eventually { try await fixture.session.outbox.pending(lane: "hub-metrics").count == 8 }
        #expect(try !files("hub-content-viewed", in: folder).isEmpty)
        let access = try FileManager.default.attributesOfItem(atPath: folder.url.path)[.posixPermissions]
        #expect(access as? Int == 0o700)
    }

    @Test func `a blocked upload delays no page, and all events arrive`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        fixture.server.next(InlayPath.analytics, .failure(.cut("another network, another address")))
        fixture.server.hold(InlayPath.analytics)
        try read(fixture)
        try await eventually { try await fixture.session.outbox.pending(lane: "hub-metrics").count == 8 }
        let outbox = fixture.session.outbox
        let upload = fixture.session.work.start { _ = await outbox.flush(lane: "hub-metrics") }
        try await fixture.server.untilHeld(InlayPath.analytics)
        // While the upload is blocked, pages are still shown and counted.
        try read(fixture)
        try await eventually { try await fixture.session.outbox.pending(lane: "hub-metrics").count == 16 }
        fixture.server.release(InlayPath.analytics)
        await upload.value
        try await eventually {
            _ = await fixture.session.outbox.flush(lane: "hub-metrics")
            return try await fixture.session.outbox.pending(lane: "hub-metrics").isEmpty
        }
        #expect(Set(try fixture.metrics.map(\.id)).count == 16)
    }

    @Test(arguments: [("http://hub.test", false), ("http://127.0.0.1:1", true), ("https://hub.test", true)])
    func `metrics are sent over https or to this machine only`(address: String, isSent: Bool) async throws {
        let fixture = try await HubFixture.make(url: address)
        try fixture.start()
        let shown = try fixture.hub.present()
        try shown.dismiss()
        try await eventually {
            _ = await fixture.session.outbox.flush(lane: "hub-metrics")
            let waiting = try await fixture.session.outbox.pending(lane: "hub-metrics").count
            return isSent ? try waiting == 0 && !fixture.metrics.isEmpty : waiting > 0
        }
        #expect(fixture.server.requests(InlayPath.analytics).isEmpty != isSent)
    }

    @Test func `the advertiser id is the app's, or the system's unless tracking is limited`()
        async throws
    {
        let cases: [(HubSettings.Advertiser, String?)] = [
            (.none, nil), (.system(System(isTrackingLimited: false)), "system-id"),
            (.system(System(isTrackingLimited: true)), nil), (.app { "adv-9" }, "adv-9"), (.app { nil }, nil),
        ]
        for (advertiser, expected) in cases {
            let fixture = try await HubFixture.ready { $0.settings.advertiser = advertiser }
            try fixture.hub.present().dismiss()
            let events = try await fixture.untilMetrics(["hub-dismissed"])
            #expect(events.allSatisfy { $0.properties["advertiserID"]?.string == expected })
            if expected == nil {
                for request in fixture.server.requests {
                    #expect(!String(decoding: request.body ?? Data(), as: UTF8.self).contains("system-id"))
                }
                #expect(try files("system-id", in: fixture.folder).isEmpty)
            } else {
                // Shows that the search finds an id that is stored, so that an empty result above means something.
                #expect(try !files(expected ?? "", in: fixture.folder).isEmpty)
            }
        }
    }
}
