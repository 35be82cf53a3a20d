import Hummingbird
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// The exchange: what people set up, answers to apps, trackers, the ledger, and notices to buyers.
package struct AdsFeature: ServerFeature {
    /// Publishers, apps, units, campaigns, creatives, bidders, deals.
    package let records: AdRecordStore
    /// What signs trackers and rewards.
    package let keys: AdKeyStore
    /// What books trackers.
    package let booking: AdBooking
    /// What answers apps.
    package let exchange: AdExchange
    /// What tells invalid traffic.
    let traffic: AdTrafficFilter
    /// How often a network may ask for ads.
    let requestLimiter: NetworkLimiter
    private let catalog: AdCatalog
    private let refusals: AdRefusalCounts
    private let requests: AdRequestCounts
    private let refusedBids: AdBidRefusalCounts
    private let sender: AdNoticeSender
    private let caller: AdNoticeClient
    private let bidders: BidderClient
    /// What was asked, shown and earned.
    package let reports: AdReportStore
    /// Which bidders are left alone now.
    let gate: BidderGate
    let services: ServerServices

    init(_ services: ServerServices, segments: any UserSegments = NoSegments()) {
        let (database, now) = (services.database, services.now)
        let catalog = AdCatalog(database: database, now: now)
        let keys = AdKeyStore(database: database, box: services.secretBox, now: now)
        let refusals = AdRefusalCounts(), requests = AdRequestCounts(), refusedBids = AdBidRefusalCounts()
        let addressGuard = AddressGuard(.init(isPrivateAllowed: services.configuration.adsPrivateAddresses))
        let caller = AdNoticeClient(addressGuard)
        let sender = AdNoticeSender(
            store: AdNoticeStore(database: database, now: now), logger: services.logger
        ) { await caller.send($0) }
        let traffic = AdTrafficFilter(
            botAgents: services.configuration.adsBotAgents,
            blockedNetworks: services.configuration.adsBlockedNetworks)
        requestLimiter = NetworkLimiter(.ads(services.configuration.rates), now: now)
        let bidders = BidderClient(addressGuard), gate = BidderGate()
        let lookups = HostLookups(limit: .seconds(3), resolve: addressGuard.addresses)
        records = AdRecordStore(
            database: database, now: now, checkAddress: { try await addressGuard.check($0, lookups) }
        ) { catalog.forget($0) }
        booking = AdBooking(
            database: database, keys: keys, catalog: catalog, counts: refusals, now: now
        ) { sender.wake() }
        exchange = AdExchange(
            database: database, catalog: catalog, keys: keys, segments: segments, limiter: services.limiter,
            requests: requests, refusals: refusals, traffic: traffic,
            bidding: AdBidding(
                budget: .milliseconds(services.configuration.adsMilliseconds), database: database,
                client: bidders, gate: gate, requests: requests, refusals: refusedBids,
                maximumPriceMicros: Int64(services.configuration.adsMaximumCPM) * 1_000_000,
                exchangeDomain: services.configuration.adsDomain,
                metrics: services.metrics, now: now
            ) { sender.wake() }, now: now)
        reports = AdReportStore(database: database)
        self.traffic = traffic
        self.gate = gate
        self.bidders = bidders
        self.catalog = catalog
        self.keys = keys
        self.refusals = refusals
        self.requests = requests
        self.refusedBids = refusedBids
        self.sender = sender
        self.caller = caller
        self.services = services
    }

    package var migrations: [SQLMigration] { AdsSchema.migrations }

    package func addRoutes(to routes: ServerRoutes) { addPublicRoutes(to: routes.root) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await followChanges() }
                group.addTask { await sender.run() }
                group.addTask { await tidy() }
            }
        }
        await writeCounts()
        await caller.close()
        await bidders.close()
    }

    /// Forgets records and keys that changed on another node; all of them when news may have been lost.
    private func followChanges() async {
        for await environmentID in services.database.notifications(AdRecordStore.changes) {
            catalog.forget(environmentID)
            keys.forget()
        }
    }

    private func tidy() async {
        let sweeper = AdSweeper(database: services.database, now: services.now)
        var rounds = 0
        for await _ in Ticks(every: .seconds(1)) {
            await writeCounts()
            if rounds % 30 == 0 { await attempt { try await sweeper.sweep() } }
            rounds += 1
        }
    }

    /// Writes what is counted in memory.
    func writeCounts() async {
        await attempt { try await requests.write(to: services.database) }
        await attempt { try await refusals.write(to: services.database, at: services.now()) }
        await attempt { try await refusedBids.write(to: services.database, at: services.now()) }
    }

    /// What failed is logged and done later; it is never worth the server's end.
    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            // The server stops; what is left is done when it is back.
        } catch {
            services.logger.warning("Ads could not be tidied up", metadata: ["error": "\(error)"])
        }
    }
}

extension NetworkLimiter.Limits {
    /// Of requests for ads: five seconds' worth at once, and five times as many of a whole block, which many people
    /// share.
    static func ads(_ rates: RateLimits) -> Self {
        let maximum = rates.adsPerNetwork * 5
        return Self(maximumPerAddress: maximum, maximumPerBlock: maximum * 5, period: .seconds(5))
    }
}
