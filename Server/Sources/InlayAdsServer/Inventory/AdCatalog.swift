import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers

/// A cache of the records that ad requests need, so that a request does not read them from the database.
///
/// The snapshot of an environment is read and forgotten as a whole: on this node at once, on others with the database's
/// notification, and after a minute in any case. A snapshot that was read before a change is not stored after it,
/// because the generation has grown since the read began.
package final class AdCatalog: Sendable {
    private struct State {
        var generation = 0
        var snapshots: [EnvironmentID: (snapshot: AdCatalogSnapshot, until: Timestamp)] = [:]
        /// The environments of units; `nil` for units that do not exist.
        var environments: [AdUnitID: (environmentID: EnvironmentID?, until: Timestamp)] = [:]
    }

    private static let lifetime: Duration = .seconds(60)
    /// Short, because a unit that does not exist may be created at any time.
    private static let missingUnitLifetime: Duration = .seconds(2)
    private static let maximumUnits = 50_000

    private let database: any SQLDatabase
    private let now: @Sendable () -> Timestamp
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.now = now
    }

    /// Returns the unit with its app and publisher; `nil` unless all three exist, belong together and are enabled.
    func inventory(publisherID: AdPublisherID, unitID: AdUnitID) async throws -> ResolvedAdUnit? {
        guard let environmentID = try await environment(ofUnit: unitID) else { return nil }
        let snapshot = try await snapshot(environmentID)
        guard let unit = snapshot.units[unitID], unit.isEnabled,
            let app = snapshot.apps[unit.parentID], app.isEnabled, app.parentID == publisherID,
            let publisher = snapshot.publishers[publisherID], publisher.isEnabled
        else { return nil }
        return ResolvedAdUnit(
            environmentID: environmentID, publisher: publisher, app: app, unit: unit, snapshot: snapshot)
    }

    /// Forgets the snapshot of an environment, or with `nil` all snapshots; and the environments of all units.
    func forget(_ environmentID: EnvironmentID?) {
        state.withLockedValue { state in
            state.generation += 1
            state.environments.removeAll()
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
        let (known, generation) = state.withLockedValue { ($0.environments[unitID], $0.generation) }
        if let known, moment < known.until { return known.environmentID }
        let found = try await database.read {
            try $0.row("SELECT environment_id FROM ad_units WHERE id = ?", [.id(unitID)])?
                .id("environment_id", as: EnvironmentID.self)
        }
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.environments.count >= Self.maximumUnits { state.environments.removeAll() }
            let lifetime = found == nil ? Self.missingUnitLifetime : Self.lifetime
            state.environments[unitID] = (found, moment + lifetime)
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
