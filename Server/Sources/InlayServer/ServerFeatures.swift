import Foundation
package import InlayAdsServer
package import InlayBehaviorsServer
package import InlayCardsServer
package import InlayDevicesServer
package import InlayHubServer
import InlaySQL
package import InlayServerCore
package import InlayWorkbench

/// The features of this server.
package struct ServerFeatures: Sendable {
    /// Environments, keys, users, operators.
    package let accounts: AccountsFeature
    /// The WebSocket connections of apps.
    package let live: LiveFeature
    /// Cards: templates, containers, events, feeds, actions.
    package let cards: CardsFeature
    /// The analytics events that devices send.
    package let analytics: AnalyticsFeature
    /// Event intake, OAuth, contact lists, segments.
    package let behaviors: BehaviorsFeature
    /// Signed content: sources, publishing, keys, and the files that devices fetch.
    package let hub: HubFeature
    /// The exchange: units, campaigns, bidders, trackers, the ledger.
    package let ads: AdsFeature
    /// Accounts of end users, and the devices they set up.
    package let devices: DevicesFeature
    /// The Workbench: the web pages of the team.
    package let workbench: WorkbenchFeature
    /// Health and metrics.
    package let operations: OperationsFeature
    /// All features, including additional ones, in the order in which their schemas are applied.
    let all: [any ServerFeature]

    init(
        _ services: ServerServices, tokens: AccountTokenStore, prometheus: PrometheusMetrics,
        adding added: [any ServerFeature]
    ) throws {
        // Features write in lanes of their own, so that a locked table delays only the feature that it
        // belongs to.
        accounts = AccountsFeature(services)
        live = LiveFeature(services)
        analytics = AnalyticsFeature(services.inLane("analytics"))
        let conditions = AudienceConditions()
        behaviors = BehaviorsFeature(services.inLane("behaviors"), conditions: conditions)
        hub = HubFeature(services.inLane("hub"))
        cards = CardsFeature(
            services.inLane("cards"), segments: behaviors.segments)
        ads = AdsFeature(services.inLane("ads"), segments: behaviors.segments)
        // Cards are erased last: a search for a segment's users reads the events of behaviors. A search that began
        // before these were erased is under way or stored when cards are erased, and the user is taken out of it; a
        // later one does not find the user.
        let keeping: [any ServerFeature] = [accounts, analytics, behaviors, ads] + added + [cards]
        devices = DevicesFeature(
            services.inLane("devices"), tokens: tokens, erasing: keeping.compactMap { $0 as? any UserErasure }
        )
        let features: [any ServerFeature] =
            [accounts, live, cards, analytics, hub, behaviors, ads, devices] + added
        try conditions.add(of: features)
        let jobs = JobsFeature(services, of: features)
        operations = OperationsFeature(services, prometheus: prometheus, of: features + [jobs])
        workbench = WorkbenchFeature(
            services,
            [OverviewPages(services: services, cards: cards, behaviors: behaviors)]
                + features.compactMap { $0 as? any WorkbenchSection }
                + [
                    UserPages(services: services, cards: cards, devices: devices),
                    JobPages(services: services, jobs: jobs),
                ]
        ) { id, connection in
            for feature in features { try feature.prepare(environment: id, in: connection) }
        }
        let description = APIDocumentFeature(
            folder: Bundle.module.copiedResources.appendingPathComponent("api", isDirectory: true),
            logger: services.logger)
        // The last one is stopped first: before the features whose jobs it runs.
        all = features + [workbench, operations, description, jobs]
    }

    /// The names that the features have registered so far: all but routes.
    var names: FeatureNames {
        let names = FeatureNames()
        names.register(all)
        workbench.register(in: names)
        return names
    }

    /// The migrations of all features. Those of jobs come first, since other migrations insert jobs.
    var migrations: [SQLMigration] { (all.suffix(1) + all.dropLast()).flatMap(\.migrations) }
}
