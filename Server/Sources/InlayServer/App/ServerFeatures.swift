/// The features of this server, in the order in which their schemas are applied.
package struct ServerFeatures: Sendable {
    /// Environments, keys, users, operators.
    package let accounts: AccountsFeature
    /// The sockets.
    package let live: LiveFeature
    /// Cards: templates, containers, events, feeds, actions.
    package let cards: CardsFeature
    /// What devices count.
    package let analytics: AnalyticsFeature
    /// Event intake, OAuth, contact lists, segments.
    package let behaviors: BehaviorsFeature
    /// Signed content: sources, publishing, keys, and the files that devices fetch.
    package let hub: HubFeature
    /// The exchange: units, campaigns, bidders, trackers, the ledger.
    package let ads: AdsFeature
    /// Accounts of end users, and the devices they set up.
    package let devices: DevicesFeature
    /// The team's web pages.
    package let workbench: WorkbenchFeature
    /// Health and metrics.
    package let operations: OperationsFeature
    /// Rooms that whoever makes the server brings along.
    private let guests: [any ServerFeature]

    init(_ services: ServerServices, prometheus: PrometheusMetrics, guests: [any ServerFeature]) {
        // Each feature writes in a lane of its own: a table that is locked holds up its feature and no other.
        accounts = AccountsFeature(services)
        live = LiveFeature(services)
        analytics = AnalyticsFeature(services.inLane("analytics"))
        behaviors = BehaviorsFeature(services.inLane("behaviors"))
        hub = HubFeature(services.inLane("hub"))
        cards = CardsFeature(services.inLane("cards"), segments: behaviors.segments)
        ads = AdsFeature(services.inLane("ads"), segments: behaviors.segments)
        // The features that erase what they keep of a user. Cards are last: a search for a segment's users reads the
        // events of behaviors. A search that began before these were erased is under way or stored when cards are
        // erased, and the user is taken out of it; a later one does not find the user.
        let rooms: [any ServerFeature] = [accounts, analytics, behaviors, ads] + guests + [cards]
        devices = DevicesFeature(
            services.inLane("devices"), rooms: rooms.compactMap { $0 as? any UserErasure })
        workbench = WorkbenchFeature(
            services,
            WorkbenchStores(
                templates: cards.templates, containers: cards.containers, themes: cards.themes,
                events: cards.events,
                inspector: cards.inspector, actions: cards.actions, analytics: analytics.store,
                hub: hub,
                behaviors: behaviors, devices: devices, ads: ads))
        operations = OperationsFeature(services, prometheus: prometheus)
        self.guests = guests
    }

    /// Everyone. A new feature is added here and nowhere else.
    var all: [any ServerFeature] {
        [accounts, live, cards, analytics, behaviors, hub, ads, devices, workbench, operations] + guests
    }
}
