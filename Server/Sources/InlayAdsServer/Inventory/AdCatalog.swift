import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// The part of the records that requests need, in memory: a request costs no query for them.
///
/// An environment's snapshot is read whole and forgotten whole, on this node at once, on others with the
/// database's notification, and after a minute in any case. What was read before a change is not kept
/// after it: the reader names the generation it began in.
package final class AdCatalog: Sendable {
    private struct State {
        var generation = 0
        var snapshots: [EnvironmentID: (snapshot: AdCatalogSnapshot, until: Timestamp)] = [:]
        /// The environments of units; `nil` for units that do not exist.
        var places: [AdUnitID: (environmentID: EnvironmentID?, until: Timestamp)] = [:]
    }

    private static let lifetime: Duration = .seconds(60)
    /// Short, for a unit that does not exist may be made now.
    private static let absence: Duration = .seconds(2)
    private static let maximumUnits = 50_000

    private let database: any SQLDatabase
    private let now: @Sendable () -> Timestamp
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// The unit with its app and publisher, when all three exist, belong together and are switched on.
    func place(publisherID: AdPublisherID, unitID: AdUnitID) async throws -> ResolvedAdUnit? {
        guard let environmentID = try await environment(ofUnit: unitID) else { return nil }
        let snapshot = try await snapshot(environmentID)
        guard let unit = snapshot.units[unitID], unit.isEnabled,
            let app = snapshot.apps[unit.parentID], app.isEnabled, app.parentID == publisherID,
            let publisher = snapshot.publishers[publisherID], publisher.isEnabled
        else { return nil }
        return ResolvedAdUnit(
            environmentID: environmentID, publisher: publisher, app: app, unit: unit, snapshot: snapshot)
    }

    /// Forgets an environment, or everything.
    func forget(_ environmentID: EnvironmentID?) {
        state.withLockedValue { state in
            state.generation += 1
            state.places.removeAll()
            guard let environmentID else { return state.snapshots.removeAll() }
            state.snapshots[environmentID] = nil
        }
    }

    private func snapshot(_ environmentID: EnvironmentID) async throws -> AdCatalogSnapshot {
        let moment = now()
        let (known, generation) = state.withLockedValue { ($0.snapshots[environmentID], $0.generation) }
        if let known, moment < known.until { return known.snapshot }
        let snapshot = try await database.read { try AdCatalogSnapshot(environmentID, $0) }
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            state.snapshots[environmentID] = (snapshot, moment + Self.lifetime)
        }
        return snapshot
    }

    private func environment(ofUnit unitID: AdUnitID) async throws -> EnvironmentID? {
        let moment = now()
        let (known, generation) = state.withLockedValue { ($0.places[unitID], $0.generation) }
        if let known, moment < known.until { return known.environmentID }
        let found = try await database.read {
            try $0.row("SELECT environment_id FROM ad_units WHERE id = ?", [.id(unitID)])?
                .id("environment_id", as: EnvironmentID.self)
        }
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.places.count >= Self.maximumUnits { state.places.removeAll() }
            state.places[unitID] = (found, moment + (found == nil ? Self.absence : Self.lifetime))
        }
        return found
    }
}

/// The publisher, app and unit that an ad is requested for.
struct ResolvedAdUnit: Sendable {
    let environmentID: EnvironmentID
    let publisher: AdPublisher
    let app: AdApp
    let unit: AdUnit
    let snapshot: AdCatalogSnapshot
}
