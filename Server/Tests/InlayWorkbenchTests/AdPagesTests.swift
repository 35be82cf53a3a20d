import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct AdPagesTests {
    private static let root = "/workbench/e/harbor/ads"

    /// Expects a redirect, and returns the last path component of its location.
    private func createdID(_ answer: WorkbenchBrowser.Response) throws -> String {
        #expect(answer.status == 303, "\(answer.body.prefix(3_000))")
        return String(try #require(answer.location.split(separator: "/").last).prefix { $0 != "?" })
    }

    @Test
    func `a publisher, an app, a unit and a campaign created by forms serve an ad, and the report shows it`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let root = Self.root
            let publisher = try createdID(
                try await editor.post("\(root)/publishers/new", [("name", "Ferries"), ("isEnabled", "on")]))
            let app = try createdID(
                try await editor.post(
                    "\(root)/apps/new",
                    [("parent", publisher), ("name", "Harbor"), ("bundle", "b"), ("isEnabled", "on")]))
            let unit = try createdID(
                try await editor.post(
                    "\(root)/units/new",
                    [
                        ("parent", app), ("name", "Front"), ("format", "banner"), ("width", "320"),
                        ("height", "50"), ("floorMicros", "1.25"), ("priceRule", "second"),
                        ("badv", "bad.example\nworse.example"), ("isEnabled", "on"),
                    ]))
            let campaign = try createdID(
                try await editor.post(
                    "\(root)/campaigns/new",
                    [
                        ("name", "Summer"), ("priority", "3"), ("cpmMicros", "2.5"), ("budgetMicros", "100"),
                        ("pacing", "asap"), ("isEnabled", "on"),
                    ]))
            let creative = try createdID(
                try await editor.post(
                    "\(root)/creatives/new",
                    [
                        ("parent", campaign), ("name", "Boat"), ("kind", "html"),
                        ("markup", "<a href=\"${CLICK_URL}\">Sail</a>"),
                        ("clickURL", "https://a.example/?x=1&y=\"2"), ("isEnabled", "on"),
                    ]))
            let kept = try #require(
                try await site.server.features.ads.records.find("harbor", AdUnitID(unit), as: AdUnit.self)?
                    .record)
            #expect(kept.floorMicros == 1_250_000 && kept.priceRule == .second)
            #expect(kept.blocks.badv == ["bad.example", "worse.example"] && kept.width == 320)

            let request = AdRequest(
                pubID: publisher, unitID: unit, bundle: "b", userAgent: "u", appName: "Harbor")
            let caller = AdCaller(address: "127.0.0.1", base: "http://x", acceptsExtension: true)
            let ad = try #require(
                try await site.server.features.ads.exchange.response(to: request, from: caller))
            #expect(ad.adm == "<a href=\"https://a.example/?x=1&amp;y=&quot;2\">Sail</a>")
            let token = String(ad.tracker.view.split(separator: "/").last ?? "")
            #expect(try await site.server.features.ads.booking.book(token) == .booked)
            #expect(try await site.server.features.ads.booking.book(token) == .refused(.duplicate))
            await site.server.features.ads.writeCounts()

            let analyst = try await site.signedIn(.analyst)
            let report = try await analyst.get("\(root)/reports?days=7")
            #expect(report.status == 200 && report.body.contains("$0.0025"))
            #expect(report.body.contains("Summer") && report.body.contains("Front"))
            let refused = try await analyst.get("\(root)/refused")
            #expect(refused.body.contains("copy") && refused.body.contains("Front"))
            #expect(try await analyst.get("\(root)/campaigns/\(campaign)").body.contains("Seen"))
            let preview = try await analyst.get("\(root)/creatives/\(creative)/preview")
            #expect(preview.header("content-security-policy")?.hasPrefix("sandbox allow-scripts") == true)
            #expect(preview.body.contains("Sail"))
        }
    }

    @Test
    func
        `a unit's form has the cap of its rewards and whether they need a user, and the page says what is invalid`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let records = site.server.features.ads.records
            let publisher = try await records.save("harbor", AdPublisher(name: "Ferries")).record
            let app = try await records.save(
                "harbor", AdApp(publisherID: publisher.id, name: "Harbor")
            )
            .record
            let blank = try await editor.get("\(Self.root)/units/new?parent=\(app.id)").body
            #expect(blank.contains("Frequency cap") && blank.contains("Signed-in users only"))
            let typed = [
                ("parent", app.id.rawValue), ("name", "Coins"), ("format", "rewarded"),
                ("priceRule", "first"),
                ("reward", "5"), ("currency", "coins"), ("isEnabled", "on"),
            ]
            func unit(_ more: [(String, String)]) async throws -> AdUnit {
                let id = try createdID(try await editor.post("\(Self.root)/units/new", typed + more))
                return try #require(try await records.find("harbor", AdUnitID(id), as: AdUnit.self)?.record)
            }
            let capped = try await unit([("maximumPerDay", "5"), ("needsUser", "on")])
            #expect(capped.reward?.maximumPerDay == 5 && capped.reward?.needsUser == true)
            let open = try await unit([("maximumPerDay", "")])
            #expect(open.reward?.maximumPerDay == 20 && open.reward?.needsUser == false)
            let form = try await editor.get("\(Self.root)/units/\(capped.id)").body
            #expect(form.contains("name=\"maximumPerDay\"") && form.contains("value=\"5\""))
            // Frames of other sites are off unless an operator switches them on.
            #expect(blank.contains("Creatives may show frames of other sites") && !capped.allowsFrames)
            let framed = try await unit([("maximumPerDay", "5"), ("allowsFrames", "on")])
            #expect(framed.allowsFrames)
            let faulty = try await editor.post(
                "\(Self.root)/units/new", typed + [("maximumPerDay", "0")])
            #expect(faulty.status == 422 && faulty.body.contains("maximumPerDay-fault"))

            let crawler = AdRequest(
                pubID: publisher.id.rawValue, unitID: capped.id.rawValue, bundle: "b",
                userAgent: "Googlebot/2.1",
                appName: "Harbor")
            let caller = AdCaller(address: "127.0.0.1", base: "http://x", acceptsExtension: true)
            #expect(try await site.server.features.ads.exchange.response(to: crawler, from: caller) == nil)
            await site.server.features.ads.writeCounts()
            let page = try await editor.get("\(Self.root)/refused").body
            #expect(page.contains("<h1>Invalid traffic</h1>") && page.contains("known-bot"))
            #expect(page.contains("Known bot") && page.contains("request") && page.contains("Coins"))
        }
    }

    @Test func `the report shows the acknowledged, outstanding and given-up bills of each bidder`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let analyst = try await site.signedIn(.analyst)
            let path = "\(Self.root)/reports?days=7"
            #expect(try await !analyst.get(path).body.contains("Bills to bidders"))
            let records = site.server.features.ads.records, moment = site.server.services.now()
            let bidder = try await records.save(
                "harbor", AdBidder(name: "Acme", endpoint: "https://b.example"))
            try await site.server.services.database.write { connection in
                for number in 1...2 {
                    var impression = AdImpression(
                        environmentID: "harbor", id: "\(number)", unitID: AdUnitID("u"), priceNanos: 1,
                        madeAt: moment,
                        expiresAt: moment, endsAt: moment)
                    impression.bidderID = bidder.record.id
                    // The server refuses to call a loopback address, so no notice is sent while the page is read.
                    let bill = AdNotice(
                        impression, .burl, url: "http://127.0.0.1/", amountNanos: Int64(number) * 2_500_000,
                        at: moment)
                    try AdNotice.queue([bill], connection)
                }
                try connection.execute("UPDATE ad_notices SET state = 'failed'")
                try connection.execute(
                    "UPDATE ad_notices SET state = 'acknowledged' WHERE impression_id = '2'")
            }
            let page = try await analyst.get(path).body
            let row = try #require(
                page.firstRange(of: ">Acme</th>").map { page[$0.upperBound...].prefix(400) })
            let amounts = ["Acknowledged", "Outstanding", "Given up"].map { label in
                row.firstRange(of: "data-label=\"\(label)\" class=\"num\">").map {
                    String(row[$0.upperBound...].prefix { $0 != "<" })
                }
            }
            #expect(amounts == ["$0.0050", "$0.0000", "$0.0025"])
        }
    }

    @Test func `every reason for refusing a tracker has a name and a sentence of its own`() {
        let reasons: [AdRefusal] = [
            .malformed, .unknownKey, .wrongSignature, .expired, .unknownImpression, .duplicate, .beforeView,
            .tooSoon,
            .beforeComplete, .noReward, .noUser, .rewardCap, .noCapacity, .knownBot, .blockedNetwork,
        ]
        #expect(Set(reasons.map(\.words.name)).count == reasons.count)
        #expect(reasons.allSatisfy { !$0.words.why.isEmpty && $0.words.name != $0.rawValue })
    }

    @Test func `prices, sizes and lengths are typed in the digits of one script`() {
        func typed(_ text: String) -> AdFormReader {
            AdFormReader(form: FormFields([("a", text)]), zone: .utc)
        }
        var faults = FieldErrors()
        #expect(typed("١٫٢٥").micros("a", &faults) == 1_250_000)
        #expect(typed("２．５").micros("a", &faults) == 2_500_000)
        #expect(typed("۳۲۰").number("a", &faults) == 320)
        #expect(typed("٠٫٥").milliseconds("a", &faults) == 500)
        #expect(faults.items.isEmpty)
        for text in ["1٫٢", "1,25", "0x10", "-1", "1.2345678", "1e3"] { _ = typed(text).micros("a", &faults) }
        _ = typed("61").milliseconds("a", &faults)
        let amount = "An amount such as 2.50, with at most six digits behind the point."
        #expect(
            faults.messages(for: "a") == [
                "Write the number with the digits of one script.",
                "Write a point before decimals and no marks between thousands, for example 1234.5.",
                amount, amount, amount, amount, "From 0 to 60 seconds, such as 5 or 0.5.",
            ])
    }

    @Test func `a form with errors shows them at its fields, and keeps what was typed`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let cases: [(String, String, [(String, String)], String)] = [
                ("publishers", "name", [("name", "")], "1 to 128 characters."),
                ("campaigns", "priority", [("name", "C"), ("priority", "11")], "From 1 to 10."),
                (
                    "campaigns", "cpmMicros", [("name", "C"), ("priority", "1"), ("cpmMicros", "2,5")],
                    "a point before decimals"
                ),
                (
                    "campaigns", "capHours", [("name", "C"), ("priority", "1"), ("cap", "3")],
                    "A cap needs its hours."
                ),
                ("bidders", "endpoint", [("name", "B"), ("endpoint", "ftp://x")], "https:// or http://"),
                ("deals", "id", [("name", "D"), ("id", "not an id")], "1 to 64"),
                (
                    "bidders", "unitIDs",
                    [("name", "B"), ("endpoint", "https://b.example"), ("timeout", "99"), ("unitIDs", "x")],
                    "A UUID."
                ),
            ]
            for (folder, field, fields, words) in cases {
                let page = try await editor.post("\(Self.root)/\(folder)/new", fields)
                #expect(page.status == 422, "\(folder)")
                let fault = page.body.firstRange(of: "id=\"\(field)-fault\"").map {
                    page.body[$0.upperBound...].prefix(200)
                }
                #expect(fault?.contains(words) == true, "\(folder) \(fields)")
            }
            let typed = try await editor.post(
                "\(Self.root)/bidders/new", [("name", "Acme"), ("endpoint", "nowhere"), ("timeout", "7x")])
            #expect(typed.body.contains("value=\"Acme\"") && typed.body.contains("value=\"7x\""))
        }
    }

    @Test func `a form with errors keeps the revision that its author had read`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let records = site.server.features.ads.records
            let bidder = try await records.save("harbor", AdBidder(name: "B", endpoint: "https://b.example"))
            let path = "\(Self.root)/bidders/\(bidder.record.id)"
            let typed = [("name", "Mine"), ("endpoint", "nowhere"), ("timeout", "300"), ("qps", "0")]
            try await records.save("harbor", bidder.record)
            let late = try await editor.post(path, typed + [("revision", "\(bidder.revision)")])
            #expect(late.status == 422)
            #expect(late.body.contains("name=\"revision\" value=\"\(bidder.revision)\""))
        }
    }

    @Test func `every page of ads shows hostile text as text, and nothing of another environment`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), root = Self.root
            let attack = "\"\u{301}><script>alert(2)</script>"
            let records = site.server.features.ads.records
            let publisher = try await records.save("harbor", AdPublisher(name: attack)).record
            let app = try await records.save(
                "harbor", AdApp(publisherID: publisher.id, name: attack, bundle: attack)
            ).record
            let unit = try await records.save(
                "harbor", AdUnit(appID: app.id, name: attack, format: .banner)
            ).record
            let campaign = try await records.save("harbor", AdCampaign(name: attack)).record
            let creative = try await records.save(
                "harbor", AdCreative(campaignID: campaign.id, name: attack, markup: attack)
            ).record
            let bidder = try await records.save(
                "harbor", AdBidder(name: attack, endpoint: "https://b.example/\"'<x>")
            ).record
            let deal = try await records.save("harbor", AdDeal(id: "d", name: attack, floorMicros: 1)).record
            let paths = [
                "publishers", "publishers/\(publisher.id)", "apps/\(app.id)", "units/\(unit.id)", "campaigns",
                "campaigns/\(campaign.id)", "creatives/\(creative.id)", "bidders", "bidders/\(bidder.id)",
                "deals", "deals/\(deal.id)", "units/new?parent=\(app.id)", "reports", "refused",
                "publishers/\(publisher.id)/delete", "creatives/\(creative.id)/delete",
            ]
            for path in paths {
                let page = try await editor.get("\(root)/\(path)")
                #expect(page.status == 200, "\(path)")
                EscapingTests.expectHarmless(page.body, path)
                guard path.contains("/"), !path.contains("new") else { continue }
                let foreign = try await editor.get(
                    "\(root)/\(path)".replacing("/e/harbor/", with: "/e/other/"))
                #expect(foreign.status == 404, "\(path)")
            }
        }
    }

    @Test func `units are chosen by name, and a removed unit stays chosen until an operator unticks it`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), root = Self.root
            let records = site.server.features.ads.records
            let publisher = try await records.save("harbor", AdPublisher(name: "Ferries")).record
            let app = try await records.save(
                "harbor", AdApp(publisherID: publisher.id, name: "Harbor")
            )
            .record
            var units: [AdUnit] = []
            for name in ["Front", "Back"] {
                units.append(
                    try await records.save("harbor", AdUnit(appID: app.id, name: name, format: .banner))
                        .record)
            }
            let blank = try await editor.get("\(root)/campaigns/new").body
            #expect(blank.contains("Harbor › Front") && blank.contains("Harbor › Back"))
            let fields = [("name", "Summer"), ("priority", "3"), ("pacing", "asap"), ("isEnabled", "on")]
            let campaign = try createdID(
                try await editor.post(
                    "\(root)/campaigns/new",
                    fields + units.map { ("unitIDs", $0.id.rawValue) } + [("segmentID", "gone")]))
            func kept() async throws -> AdCampaign? {
                try await records.find("harbor", AdCampaignID(campaign), as: AdCampaign.self)?.record
            }
            #expect(try await kept()?.unitIDs == units.map(\.id))
            try await records.remove("harbor", units[1].id, as: AdUnit.self)
            let page = try await editor.get("\(root)/campaigns/\(campaign)").body
            #expect(page.contains("value=\"\(units[0].id)\" checked"))
            #expect(page.contains("value=\"\(units[1].id)\" checked") && page.contains("(gone)"))
            // Saving the form keeps the removed segment, so the campaign is not opened to everybody by accident.
            #expect(page.contains("<option value=\"gone\" selected>nobody: the segment gone is gone"))
            _ = try await editor.post(
                "\(root)/campaigns/\(campaign)",
                fields + [("unitIDs", units[0].id.rawValue), ("revision", "1")])
            #expect(try await kept()?.unitIDs == [units[0].id])
        }
    }

    @Test func `a VAST creative shows what apps would play, and its video runs in a frame without an origin`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), records = site.server.features.ads.records
            let campaign = try await records.save("harbor", AdCampaign(name: "Films")).record
            func shown(_ markup: String) async throws -> (page: String, frame: WorkbenchBrowser.Response) {
                let creative = try await records.save(
                    "harbor",
                    AdCreative(campaignID: campaign.id, name: "Film", kind: .vast, markup: markup)
                ).record
                let path = "\(Self.root)/creatives/\(creative.id)"
                return (try await editor.get(path).body, try await editor.get("\(path)/preview"))
            }
            let good = try await shown(
                """
                <VAST version="4.2"><Ad id="a"><InLine><AdTitle><![CDATA[<b>Boat</b>]]></AdTitle>
                <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:06</Duration>
                <MediaFiles><MediaFile type="video/mp4"><![CDATA[https://m.test/a.mp4?"><script>alert(2)</script>]]>
                </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                """)
            #expect(good.page.contains("Chosen") && good.page.contains("&lt;b&gt;Boat&lt;/b&gt;"))
            #expect(!good.page.contains("<script>alert") && !good.frame.body.contains("<script>alert"))
            #expect(good.frame.status == 200 && good.frame.body.contains("<video"))
            let policy = try #require(good.frame.header("content-security-policy"))
            #expect(policy.hasPrefix("sandbox allow-scripts") && policy.contains("default-src 'none'"))
            #expect(!policy.contains("allow-same-origin") && !policy.contains("http:"))
            let bad = try await shown("<VAST version=\"4.2\"><Ad>")
            #expect(bad.page.contains("Refused with VAST error 100") && bad.frame.status == 404)
        }
    }

    @Test func `a record without its parent has no form, and the limits of amounts are shown in dollars`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), root = Self.root
            for path in ["apps/new", "units/new?parent=nobody", "creatives/new?parent="] {
                #expect(try await editor.get("\(root)/\(path)").status == 404, "\(path)")
            }
            let campaign = [("name", "C"), ("priority", "1"), ("pacing", "asap")]
            for (field, value, words) in [
                ("cpmMicros", "1000000.01", "At most 1\u{202F}000\u{202F}000."),
                ("budgetMicros", "1000000000.01", "At most 1\u{202F}000\u{202F}000\u{202F}000."),
                ("capHours", "9000", "From 1 to 8784 hours"),
            ] {
                let page = try await editor.post(
                    "\(root)/campaigns/new", campaign + [(field, value), ("cap", "1")])
                #expect(page.status == 422 && page.body.contains(words), "\(field)")
                #expect(page.body.contains("value=\"\(value)\""), "\(field)")
            }
        }
    }

    @Test func `a unit shows the two ids that its app needs`() async throws {
        try await WorkbenchSite.run { site in
            let analyst = try await site.signedIn(.analyst), records = site.server.features.ads.records
            let publisher = try await records.save("harbor", AdPublisher(name: "Ferries")).record
            let app = try await records.save(
                "harbor", AdApp(publisherID: publisher.id, name: "Harbor")
            )
            .record
            let unit = try await records.save(
                "harbor", AdUnit(appID: app.id, name: "Front", format: .banner)
            ).record
            let page = try await analyst.get("\(Self.root)/units/\(unit.id)").body
            #expect(page.contains(">\(unit.id)</code>") && page.contains(">\(publisher.id)</code>"))
            // The navigation marks the current section.
            #expect(page.contains("ads/publishers\" aria-current=\"page\""))
        }
    }
}
