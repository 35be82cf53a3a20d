import InlaySQL
import InlayWire
import NIOConcurrencyHelpers

/// What requests need of the records, in memory: a request costs no query for them.
///
/// An environment's page is read whole and forgotten whole, on this node at once, on others with the
/// database's notification, and after a minute in any case. What was read before a change is not kept
/// after it: the reader names the generation it began in.
package final class AdCatalog: Sendable {
    private struct State {
        var generation = 0
        var pages: [String: (page: AdCatalogPage, until: Timestamp)] = [:]
        /// Where units are; `nil` for those that do not exist.
        var places: [String: (environmentID: String?, until: Timestamp)] = [:]
    }

    private static let life: Duration = .seconds(60)
    /// Short, for a unit that does not exist may be made now.
    private static let absence: Duration = .seconds(2)
    private static let mostPlaces = 50_000

    private let database: any SQLDatabase
    private let now: @Sendable () -> Timestamp
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// The unit with its app and publisher, when all three exist, belong together and are switched on.
    func place(publisherID: String, unitID: String) async throws -> AdPlace? {
        guard let publisherID = AdRecordID.canonical(publisherID),
            let unitID = AdRecordID.canonical(unitID),
            let environmentID = try await environment(ofUnit: unitID)
        else { return nil }
        let page = try await page(environmentID)
        guard let unit = page.units[unitID], unit.isEnabled,
            let app = page.apps[unit.parentID], app.isEnabled, app.parentID == publisherID,
            let publisher = page.publishers[publisherID], publisher.isEnabled
        else { return nil }
        return AdPlace(environmentID: environmentID, publisher: publisher, app: app, unit: unit, page: page)
    }

    /// Forgets an environment, or everything.
    func forget(_ environmentID: String?) {
        state.withLockedValue { state in
            state.generation += 1
            state.places.removeAll()
            guard let environmentID, !environmentID.isEmpty else { return state.pages.removeAll() }
            state.pages[environmentID] = nil
        }
    }

    private func page(_ environmentID: String) async throws -> AdCatalogPage {
        let moment = now()
        let (known, generation) = state.withLockedValue { ($0.pages[environmentID], $0.generation) }
        if let known, moment < known.until { return known.page }
        let page = try await database.read { try AdCatalogPage(environmentID, $0) }
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            state.pages[environmentID] = (page, moment + Self.life)
        }
        return page
    }

    private func environment(ofUnit unitID: String) async throws -> String? {
        let moment = now()
        let (known, generation) = state.withLockedValue { ($0.places[unitID], $0.generation) }
        if let known, moment < known.until { return known.environmentID }
        let found = try await database.read {
            try $0.row("SELECT environment_id FROM ad_units WHERE id = ?", [.text(unitID)])?
                .text("environment_id")
        }
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.places.count >= Self.mostPlaces { state.places.removeAll() }
            state.places[unitID] = (found, moment + (found == nil ? Self.absence : Self.life))
        }
        return found
    }
}

/// Where an ad is wanted.
struct AdPlace: Sendable {
    let environmentID: String
    let publisher: AdPublisher
    let app: AdApp
    let unit: AdUnit
    let page: AdCatalogPage
}
