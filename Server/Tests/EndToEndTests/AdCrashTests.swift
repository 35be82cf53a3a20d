import Foundation
import Hummingbird
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQL
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import NIOConcurrencyHelpers
import Testing

@testable import InlayAdsServer
@testable import InlayOpenRTB
@testable import InlayServerCore

/// Tests of the built server, which is killed repeatedly while devices report ad views.
@Suite(.serialized) struct AdCrashTests {
    /// A buyer that bids on every request and records the impressions for which it was billed.
    private final class Buyer: ServerFeature {
        private let billed = NIOLockedValueBox<Set<String>>([])

        var bills: Set<String> { billed.withLockedValue { $0 } }

        func addRoutes(to routes: ServerRoutes) {
            routes.root.post("buyer/bid") { request, _ in
                let auction = try RTBDocument<OpenRTB.BidRequest>(reading: try await request.bytes()).object
                var bid = OpenRTB.Bid()
                (bid.id, bid.impressionID, bid.priceMicros) = ("b", "1", 1_500_000)
                (bid.markup, bid.markupType, bid.creativeID) = ("<p>ad</p>", 1, "c")
                let host = request.head.authority ?? ""
                bid.billingURL = "http://\(host)/buyer/bill/${AUCTION_ID}"
                var seat = OpenRTB.SeatBid()
                seat.bids = [bid]
                var answer = OpenRTB.BidResponse()
                (answer.id, answer.seatBids) = (auction.id, [seat])
                return Response(status: .ok, body: .init(byteBuffer: .init(bytes: answer.json)))
            }
            routes.root.get("buyer/bill/{id}") { [self] _, context in
                let id = try context.parameters.require("id")
                billed.withLockedValue { _ = $0.insert(id) }
                return Response(status: .noContent)
            }
        }
    }

    /// The server's current address, and the ids of the views that it has acknowledged.
    private actor Load {
        private(set) var address: URL
        private(set) var acknowledged: Set<String> = []
        private var isEnded = false

        /// Whether the devices must stop; also when the test has failed, because they would retry for ever.
        var isOver: Bool { isEnded || Task.isCancelled }

        init(_ address: URL) { self.address = address }

        func moved(to address: URL) { self.address = address }
        func acknowledge(_ id: String) { acknowledged.insert(id) }
        func end() { isEnded = true }
    }

    /// Requests one ad after another and reports each view until it was acknowledged twice.
    private func show(_ load: Load, _ transport: NIOTransport, _ body: Data) async {
        while await !load.isOver {
            let request = TransportRequest(
                method: "POST", url: await load.address.appendingPathComponent("v1/ads/request"),
                headers: ["Content-Type": "application/json"], body: body)
            guard let answer = try? await transport.send(request), answer.status == 200,
                let ad = try? JSONDecoder().decode(AdResponse.self, from: answer.body),
                let id = ad.ext?.impressionID, let view = URL(string: ad.tracker.view)
            else {
                await pause()
                continue
            }
            var copies = 0
            while copies < 2 {
                if await load.isOver { return }
                // A killed server comes back on another port; the path is what counts.
                let url = await load.address.appendingPathComponent(view.path)
                guard
                    let arrived = try? await transport.send(
                        TransportRequest(method: "GET", url: url, headers: [:], body: nil)),
                    arrived.status == 204
                else {
                    await pause()
                    continue
                }
                copies += 1
            }
            await load.acknowledge(id)
        }
    }

    /// Waits between attempts, because a server that starts shares the cores with the devices.
    private func pause() async { for await _ in TimerSequence(every: .milliseconds(5)) { break } }

    private func prepare(_ database: String, buyerPort: Int) async throws -> Data {
        var configuration = InlayServerConfiguration()
        configuration.database = SecretString(database)
        configuration.adsPrivateAddresses = true
        let server = try await InlayServer.make(configuration, logger: Logger(label: "test"))
        defer { server.close() }
        let records = server.features.ads.records
        let publisher = try await records.save("harbor", AdPublisher(name: "Harbor")).record
        let app = try await records.save(
            "harbor", AdApp(publisherID: publisher.id, name: "Harbor")
        ).record
        let unit = try await records.save(
            "harbor", AdUnit(appID: app.id, name: "Front", format: .banner, width: 320, height: 50)
        ).record
        try await records.save(
            "harbor",
            AdBidder(name: "Buyer", endpoint: "http://127.0.0.1:\(buyerPort)/buyer/bid", timeout: 2_000))
        return try JSONEncoder().encode(
            AdRequest(
                pubID: publisher.id.rawValue, unitID: unit.id.rawValue, bundle: "com.example.harbor",
                userAgent: "test",
                appName: "Harbor"))
    }

    @Test(.timeLimit(.minutes(15)), arguments: SQLEngine.allCases)
    func `kills between the receipt of a view and its booking lose no view and bill none twice`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.withURL(engine) { database in
            let folder = try TemporaryFolder()
            let buyer = Buyer()
            let market = try await RunningServer.start(
                on: "sqlite:\(folder.url.path)/market.sqlite", adding: [buyer])
            let body = try await prepare(database, buyerPort: market.address.port ?? 0)
            let settings = folder.url.appendingPathComponent("settings.json")
            try Data(#"{"adsPrivateAddresses": true, "rateUser": 0, "rateAds": 0}"#.utf8).write(to: settings)
            let options = ["--config", settings.path]
            var server = try await ServerProcess.start(on: database, in: folder, options)
            let transport = try NIOTransport()
            let load = Load(server.address)
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 { group.addTask { await show(load, transport, body) } }
                // Fifty kills on both engines together.
                for kill in 0..<25 {
                    let before = await load.acknowledged.count
                    let more = kill % 5 * 5 + 1
                    try await eventually { await load.acknowledged.count >= before + more }
                    try await server.crash()
                    server = try await ServerProcess.start(on: database, in: folder, options)
                    await load.moved(to: server.address)
                }
                await load.end()
                try await group.waitForAll()
            }
            let acknowledged = await load.acknowledged
            #expect(acknowledged.count > 250)
            // Claims of killed servers end after their lease.
            try await eventually(within: .seconds(300)) { acknowledged.isSubset(of: buyer.bills) }
            try await eventually(within: .seconds(300)) { try await waitingNotices(database) == 0 }
            try await server.crash()
            await market.stop()
            try await check(database, acknowledged, buyer.bills)
        }
    }

    private func waitingNotices(_ url: String) async throws -> Int {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM jobs WHERE kind = ?", [.text(AdNoticeJobs.kind.rawValue)])?
                .int("n") ?? 0
        }
    }

    /// Checks that the ledger has each view once and every acknowledged and billed view, and that all sums agree.
    private func check(_ url: String, _ acknowledged: Set<String>, _ bills: Set<String>) async throws {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        let (views, ledger, notices, days) = try await database.read { connection in
            let views = try connection.rows("SELECT impression_id FROM ad_ledger WHERE event = 'view'")
                .map { try $0.text("impression_id") }
            func sum(_ sql: String) throws -> Int64 { try connection.row(sql)?.int64("n") ?? 0 }
            return (
                views, try sum("SELECT SUM(amount_nanos) AS n FROM ad_ledger"),
                try sum("SELECT SUM(amount_nanos) AS n FROM ad_notices WHERE kind = 'burl'"),
                try sum("SELECT SUM(revenue_nanos) AS n FROM ad_days")
            )
        }
        #expect(Set(views).count == views.count)
        #expect(acknowledged.isSubset(of: Set(views)), "\(acknowledged.subtracting(views).count) are lost")
        #expect(bills.isSubset(of: Set(views)), "nobody is billed for what is not in the ledger")
        #expect(ledger == Int64(views.count) * 1_500_000 && notices == ledger && days == ledger)
    }
}
