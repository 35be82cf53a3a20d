import Foundation
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite struct TimeZonePagesTests {
    private static let root = "/workbench/e/harbor"

    /// Returns a number above the chart of the Overview for today and for yesterday.
    private func overview(_ label: String, _ page: String) throws -> [String] {
        let part = try #require(WorkbenchBrowser.between("<dt>\(label) today</dt>", "</div>", page))
        return [
            try #require(WorkbenchBrowser.between("<span class=\"big\">", "<", part)),
            try #require(WorkbenchBrowser.between("<span class=\"sub\">", " yesterday", part)),
        ]
    }

    /// Returns the rows of a table of the explorer or the analytics, as the day's name and its first number.
    private func days(_ page: String) -> [String] {
        page.components(separatedBy: "<th scope=\"row\" class=\"nowrap\">").dropFirst().map { row in
            let name = row.prefix { $0 != "<" }.trimmingCharacters(in: .whitespaces)
            let isUnfinished = row.prefix(80).contains("so far")
            return
                "\(name)\(isUnfinished ? " so far" : "") \(WorkbenchBrowser.between("class=\"num\">", "<", row) ?? "")"
        }
    }

    private func sendEvents(_ site: WorkbenchSite, _ events: Int) async throws {
        for _ in 0..<events {
            let event = BehaviorEvent(
                id: UUID().uuidString, eventTypeCode: "17",
                eventTimestamp: Date(timeIntervalSince1970: site.services.now().seconds).ISO8601Format(),
                attributes: [.init(name: "Event Name", value: "Boarded")])
            let body = try JSONEncoder().encode(EventSubmission(events: [event]))
            _ = try await site.server.features.behaviors.intake.submit(
                body, environmentID: "harbor", userID: "maya")
        }
    }

    @Test func `days are those of the environment's zone on the Overview, in the explorer and in analytics`()
        async throws
    {
        // 23:50 in Kathmandu, 18:05 in UTC.
        let start = try #require(Timestamp(rfc3339: "2026-11-22T18:05:00Z"))
        let clock = NIOLockedValueBox(start)
        try await WorkbenchSite.run(now: { clock.withLockedValue { $0 } }, zone: .utc) { site in
            let admin = try await site.signedIn(.admin)
            let settings = "\(Self.root)/settings/environments"
            let typo = try await admin.post("\(settings)/time-zone", [("timeZone", "Asia/Nowhere")])
            #expect(typo.status == 422 && typo.body.contains("value=\"Asia/Nowhere\""))
            #expect(
                try await admin.post("\(settings)/time-zone", [("timeZone", "Asia/Kathmandu")]).status == 303)
            #expect(try await admin.get(settings).body.contains("22 Nov 2026, 23:50 Asia/Kathmandu"))

            try await sendEvents(site, 3)
            let before = try await admin.get("\(Self.root)/overview").body
            #expect(try overview("Events", before) == ["3", "0"])
            let late = try await admin.get("\(Self.root)/behaviors/explorer?days=7").body
            #expect(days(late).prefix(2) == ["22 Nov so far 3", "21 Nov 0"] && days(late).count == 7)

            clock.withLockedValue { $0 = start + .seconds(1_200) }
            try await sendEvents(site, 2)
            let page = try await admin.get("\(Self.root)/overview").body
            #expect(try overview("Events", page) == ["2", "3"])
            let early = try await admin.get("\(Self.root)/behaviors/explorer?days=7").body
            #expect(days(early).prefix(3) == ["23 Nov so far 2", "22 Nov 3", "21 Nov 0"])
            let hours = try await admin.get("\(Self.root)/behaviors/explorer?days=1").body
            #expect(days(hours) == ["00:00 so far 2"])
            let cards = try await admin.get("\(Self.root)/cards/analytics?days=7").body
            #expect(days(cards).first == "23 Nov so far 0")
            // The other environment keeps the server's zone, in which it is still the 22nd.
            let other = try await admin.get("/workbench/e/other/behaviors/explorer?days=7").body
            #expect(days(other).first == "22 Nov so far 0")
        }
    }

    @Test func `moments are typed and shown in the environment's zone`() async throws {
        try await WorkbenchSite.run(zone: .utc) { site in
            try await site.services.environments.setTimeZone("harbor", to: "Europe/Berlin")
            let editor = try await site.signedIn(.editor)
            let root = "\(Self.root)/ads/campaigns"
            let typed = [
                ("name", "Winter"), ("priority", "5"), ("cpmMicros", "1"), ("pacing", "asap"),
                ("startsAt", "2026-12-01T00:00"), ("endsAt", "2027-03-28T02:30"),
            ]
            let kept = try await editor.post("\(root)/new", typed)
            #expect(kept.status == 303)
            let campaigns = try await site.server.features.ads.records.list("harbor", as: AdCampaign.self)
            let campaign = try #require(campaigns.first?.record)
            #expect(campaign.startsAt?.rfc3339.hasPrefix("2026-11-30T23:00:00") == true)
            // Clocks skip 02:30 on this day, so 03:30 is stored.
            #expect(campaign.endsAt?.rfc3339.hasPrefix("2027-03-28T01:30:00") == true)
            let page = try await editor.get(kept.location).body
            #expect(page.contains("type=\"datetime-local\" value=\"2026-12-01T00:00\""))
            #expect(page.contains("Time zone: Europe/Berlin."))
        }
    }
}
