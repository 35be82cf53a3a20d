import Foundation
import InlayWire
import Testing

@testable import InlayServer

@Suite(.timeLimit(.minutes(3))) struct AdPagesTests {
    private static let root = "/workbench/e/harbor/ads"

    /// The last part of where an answer leads.
    private func made(_ answer: Visitor.Answer) throws -> String {
        #expect(answer.status == 303, "\(answer.body.prefix(3_000))")
        return String(try #require(answer.location.split(separator: "/").last).prefix { $0 != "?" })
    }

    @Test func `a publisher, an app, a unit and a campaign made by hand show an ad, and the report says so`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let root = Self.root
            let publisher = try made(
                try await editor.post("\(root)/publishers/new", [("name", "Ferries"), ("isEnabled", "on")]))
            let app = try made(
                try await editor.post(
                    "\(root)/apps/new",
                    [("parent", publisher), ("name", "Harbor"), ("bundle", "b"), ("isEnabled", "on")]))
            let unit = try made(
                try await editor.post(
                    "\(root)/units/new",
                    [
                        ("parent", app), ("name", "Front"), ("format", "banner"), ("width", "320"),
                        ("height", "50"), ("floorMicros", "1.25"), ("priceRule", "second"),
                        ("badv", "bad.example\nworse.example"), ("isEnabled", "on"),
                    ]))
            let campaign = try made(
                try await editor.post(
                    "\(root)/campaigns/new",
                    [
                        ("name", "Summer"), ("priority", "3"), ("cpmMicros", "2.5"), ("budgetMicros", "100"),
                        ("pacing", "asap"), ("isEnabled", "on"),
                    ]))
            let creative = try made(
                try await editor.post(
                    "\(root)/creatives/new",
                    [
                        ("parent", campaign), ("name", "Boat"), ("kind", "html"),
                        ("markup", "<a href=\"${CLICK_URL}\">Sail</a>"),
                        ("clickURL", "https://a.example/?x=1&y=\"2"), ("isEnabled", "on"),
                    ]))
            let kept = try #require(
                try await site.server.features.ads.records.find("harbor", unit, as: AdUnit.self)?.record)
            #expect(kept.floorMicros == 1_250_000 && kept.priceRule == .second)
            #expect(kept.blocks.badv == ["bad.example", "worse.example"] && kept.width == 320)

            let request = AdRequest(
                pubID: publisher, unitID: unit, bundle: "b", userAgent: "u", appName: "Harbor")
            let caller = AdCaller(address: "127.0.0.1", base: "http://x", isModern: true)
            let ad = try #require(
                try await site.server.features.ads.exchange.answer(request, from: caller))
            #expect(ad.adm == "<a href=\"https://a.example/?x=1&amp;y=&quot;2\">Sail</a>")
            let token = String(ad.tracker.view.split(separator: "/").last ?? "")
            #expect(try await site.server.features.ads.booking.book(token) == .booked)
            #expect(try await site.server.features.ads.booking.book(token) == .refused(.copy))
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

    @Test func `a form with faults says where, and keeps what was typed`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let cases: [(String, [(String, String)], String)] = [
                ("publishers", [("name", "")], "1 to 128 characters."),
                ("campaigns", [("name", "C"), ("priority", "11")], "From 1 to 10."),
                (
                    "campaigns", [("name", "C"), ("priority", "1"), ("cpmMicros", "2,5")],
                    "An amount such as 2.50"
                ),
                ("campaigns", [("name", "C"), ("priority", "1"), ("cap", "3")], "A cap needs its hours."),
                ("bidders", [("name", "B"), ("endpoint", "ftp://x")], "https:// or http://"),
                ("deals", [("name", "D"), ("id", "not an id")], "1 to 64"),
            ]
            for (folder, fields, words) in cases {
                let page = try await editor.post("\(Self.root)/\(folder)/new", fields)
                #expect(page.status == 422, "\(folder)")
                #expect(page.body.contains(words), "\(folder) \(fields)")
            }
            let typed = try await editor.post(
                "\(Self.root)/bidders/new", [("name", "Acme"), ("endpoint", "nowhere"), ("timeout", "7x")])
            #expect(typed.body.contains("value=\"Acme\"") && typed.body.contains("value=\"7x\""))
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
                #expect(!page.body.contains("<script>alert"), "\(path)")
                guard path.contains("/"), !path.contains("new") else { continue }
                let foreign = try await editor.get(
                    "\(root)/\(path)".replacing("/e/harbor/", with: "/e/other/"))
                #expect(foreign.status == 404, "\(path)")
            }
        }
    }
}
