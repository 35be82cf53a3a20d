import Hummingbird
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// The ad exchange: the records that operators configure, ad responses, trackers, the ledger and notices to buyers.
package struct AdsFeature: ServerFeature {
    /// The store of publishers, apps, units, campaigns, creatives, bidders and deals.
    package let records: AdRecordStore
    /// The keys that sign trackers and rewards.
    package let keys: AdKeyStore
    /// Books the events that trackers report.
    package let booking: AdBooking
    /// Answers ad requests.
    package let exchange: AdExchange
    /// Detects invalid traffic.
    let traffic: AdTrafficFilter
    /// Counts the ad requests of each network.
    let requestLimiter: CallerLimiter
    /// The limit of ad requests for each network.
    let requestLimit: CallerLimit
    private let catalog: AdCatalog
    private let refusals: AdRefusalCounts
    private let requests: AdRequestCounts
    private let refusedBids: AdBidRefusalCounts
    private let notices: AdNoticeJobs
    private let noticeClient: AdNoticeClient
    private let bidderClient: BidderClient
    /// Requests, impressions and earnings by day.
    package let reports: AdReportStore
    /// The gate that pauses calls to failing bidders.
    let gate: BidderGate
    /// The segments that campaigns can target.
    let segments: any UserSegments
    let services: ServerServices

    /// Creates the feature; `segments` are those of another feature.
    package init(_ services: ServerServices, segments: any UserSegments = NoSegments()) {
        let (database, now) = (services.database, services.now)
        let catalog = AdCatalog(database: database, now: now)
        let keys = AdKeyStore(database: database, box: services.secretBox, now: now)
        let refusals = AdRefusalCounts(), requests = AdRequestCounts(), refusedBids = AdBidRefusalCounts()
        let addressGuard = AddressGuard(.init(isPrivateAllowed: services.configuration.adsPrivateAddresses))
        let noticeClient = AdNoticeClient(addressGuard)
        let queue = services.jobs
        let traffic = AdTrafficFilter(
            botAgents: services.configuration.adsBotAgents,
            blockedNetworks: services.configuration.adsBlockedNetworks)
        requestLimiter = CallerLimiter(now: now)
        requestLimit = .adRequests(services.configuration.rates)
        let bidderClient = BidderClient(addressGuard), gate = BidderGate()
        let lookups = HostLookups(limit: .seconds(3), resolve: addressGuard.addresses)
        records = AdRecordStore(
            database: database, now: now, checkAddress: { try await addressGuard.check($0, lookups) }
        ) { catalog.forget($0) }
        booking = AdBooking(
            database: database, keys: keys, catalog: catalog, counts: refusals, now: now
        ) { queue.wake() }
        exchange = AdExchange(
            database: database, catalog: catalog, keys: keys, segments: segments, limiter: services.limiter,
            requests: requests, refusals: refusals, traffic: traffic,
            bidding: AdBidding(
                budget: .milliseconds(services.configuration.adsMilliseconds), database: database,
                client: bidderClient, gate: gate, requests: requests, refusals: refusedBids,
                maximumPriceMicros: Int64(services.configuration.adsMaximumCPM) * 1_000_000,
                exchangeDomain: services.configuration.adsDomain,
                metrics: services.metrics, now: now
            ) { queue.wake() }, now: now)
        reports = AdReportStore(database: database)
        self.traffic = traffic
        self.gate = gate
        self.bidderClient = bidderClient
        self.catalog = catalog
        self.keys = keys
        self.refusals = refusals
        self.requests = requests
        self.refusedBids = refusedBids
        notices = AdNoticeJobs(store: AdNoticeStore(database: database, now: now)) {
            await noticeClient.send($0)
        }
        self.noticeClient = noticeClient
        self.segments = segments
        self.services = services
    }

    package var migrations: [SQLMigration] { AdsSchema.migrations }

    package var sealedKeys: [any SealedKeyStore] { [keys] }

    package var jobs: [any JobHandler] { [notices] }

    package var metrics: [MetricDescription] { [AdBidding.answers] }

    package var periodicTasks: [PeriodicTask] {
        let sweeper = AdSweeper(database: services.database, now: services.now)
        return [PeriodicTask("ads.sweep", every: .seconds(30)) { try await sweeper.sweep() }]
    }

    package func addRoutes(to routes: ServerRoutes) { addPublicRoutes(to: routes.root) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // Both end when the group is cancelled, at the server's shutdown.
                group.addTask { await followChanges() }
                group.addTask { for await _ in TimerSequence(every: .seconds(1)) { await writeCounts() } }
            }
        }
        await writeCounts()
        await noticeClient.close()
        await bidderClient.close()
    }

    /// Forgets records and keys that changed on another node; all of them when notifications may have been lost.
    private func followChanges() async {
        for await payload in services.database.notifications(AdRecordStore.changeChannel) {
            catalog.forget(EnvironmentID(notification: payload))
            keys.forget()
        }
    }

    /// Writes the counts that are in memory.
    func writeCounts() async {
        await attempt { try await requests.write(to: services.database) }
        await attempt { try await refusals.write(to: services.database, at: services.now()) }
        await attempt { try await refusedBids.write(to: services.database, at: services.now()) }
    }

    /// Runs some work and logs its failure, so that it is tried again later instead of ending the server.
    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            // The server stops; `run()` writes the counts once more at its end.
        } catch {
            services.logger.warning(
                "Counts of ads could not be written; tried again later", metadata: ["error": "\(error)"])
        }
    }
}
