import Foundation
package import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// The signing keys of each environment: created when first needed, replaced when they retire, sealed in the database.
///
/// A key that was read before ``forget()`` is not cached after it, because the generation has grown since the read
/// began.
package final class AdKeyStore: Sendable {
    /// The public description of a key.
    package struct Listed: Hashable, Sendable {
        /// Twelve hexadecimal digits.
        package let id: String
        /// `tracker` or `reward`.
        package let purpose: String
        /// The time from which the next key signs in its place.
        package let retiresAt: Timestamp
        /// The time from which nothing that it signed is accepted any more.
        package let endsAt: Timestamp
    }

    private struct Name: Hashable {
        let environmentID: EnvironmentID
        let purpose: AdKey.Purpose
    }

    private struct State {
        var generation = 0
        /// The time from which the cached keys are counted as fresh.
        var since: Timestamp?
        var current: [Name: AdKey] = [:]
        var byID: [String: AdKey] = [:]
        /// Ids that no key has, until a time; forged tokens name them again and again.
        var unknown: [String: Timestamp] = [:]
    }

    private static let maximumCached = 10_000
    /// On SQLite no other process can notify this one that a key was retired, so keys are read again after this time.
    private static let cacheLifetime: Duration = .seconds(60)
    private let database: any SQLDatabase
    private let box: SecretBox
    private let now: @Sendable () -> Timestamp
    private let state = NIOLockedValueBox(State())

    init(database: any SQLDatabase, box: SecretBox, now: @escaping @Sendable () -> Timestamp) {
        self.database = database
        self.box = box
        self.now = now
    }

    /// Returns the key that signs now; creates it when there is none.
    func current(_ environmentID: EnvironmentID, _ purpose: AdKey.Purpose) async throws -> AdKey {
        let moment = now()
        let name = Name(environmentID: environmentID, purpose: purpose)
        refresh(at: moment)
        let (known, generation) = state.withLockedValue { ($0.current[name], $0.generation) }
        if let known, moment < known.retiresAt { return known }
        // The cache is emptied every minute, but a key is missing once in weeks: only then does a request wait for a
        // write.
        if let row = try await database.read({ try Self.find(name, at: moment, $0) }) {
            return keep(try open(row), ifStill: generation)
        }
        let made = AdKey.make(environmentID, purpose, at: moment)
        let sealed = try box.seal(made.secret, for: Self.sealingContext(environmentID, made.id))
        let row = try await database.write { connection in
            // Another request, or another node, may have made one since.
            if let found = try Self.find(name, at: moment, connection) { return found }
            return try Self.insert(made, sealed, connection)
        }
        return keep(try open(row), ifStill: generation)
    }

    /// Returns the key with the id; `nil` when there is none for this purpose, or it has ended.
    func key(_ id: String, _ purpose: AdKey.Purpose) async throws -> AdKey? {
        let moment = now()
        refresh(at: moment)
        let (known, unknownUntil, generation) = state.withLockedValue {
            ($0.byID[id], $0.unknown[id], $0.generation)
        }
        if let known { return known.purpose == purpose && moment < known.endsAt ? known : nil }
        if let unknownUntil, moment < unknownUntil { return nil }
        let row = try await database.read {
            // A key that has ended is not unsealed: its secret may be lost.
            try $0.row("SELECT * FROM ad_keys WHERE id = ? AND ends_at > ?", [.text(id), .moment(moment)])
        }
        guard let row else {
            state.withLockedValue { state in
                if state.unknown.count >= Self.maximumCached { state.unknown.removeAll() }
                state.unknown[id] = moment + .seconds(10)
            }
            return nil
        }
        let key = keep(try open(row), ifStill: generation)
        return key.purpose == purpose && moment < key.endsAt ? key : nil
    }

    /// Returns the reward keys that have not ended, the newest first, at most 1,000, with their public halves.
    package func rewardKeys() async throws -> [(id: String, publicKey: String)] {
        let moment = now()
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT id, public FROM ad_keys WHERE purpose = ? AND ends_at > ? AND public IS NOT NULL
                ORDER BY created_at DESC, id LIMIT 1000
                """, [.text(AdKey.Purpose.reward.rawValue), .moment(moment)]
            ).map { (try $0.text("id"), try $0.text("public")) }
        }
    }

    /// Returns an environment's keys that have not ended, the newest first.
    package func list(_ environmentID: EnvironmentID) async throws -> [Listed] {
        let moment = now()
        return try await database.read { connection in
            try connection.rows(
                """
                SELECT id, purpose, retires_at, ends_at FROM ad_keys WHERE environment_id = ? AND ends_at > ?
                ORDER BY created_at DESC, id
                """, [.id(environmentID), .moment(moment)]
            ).map {
                Listed(
                    id: try $0.text("id"), purpose: try $0.text("purpose"),
                    retiresAt: try $0.moment("retires_at"), endsAt: try $0.moment("ends_at"))
            }
        }
    }

    /// Retires an environment's keys now; new keys are created at the next signature.
    ///
    /// Signatures of the old keys are accepted for the overlap. Without an overlap, for keys that have leaked, no
    /// earlier signature is accepted, not even that of a tracker that a device has yet to call. Rewards are signed when
    /// they are booked: those that wait keep the old signature, and apps' servers that fetch the keys again refuse
    /// them. On SQLite a running server signs with the old keys until it reads the keys again.
    package func rotate(_ environmentID: EnvironmentID, overlap: Bool = true) async throws {
        let moment = now()
        try await database.write { connection in
            for purpose in [AdKey.Purpose.tracker, .reward] {
                try connection.execute(
                    """
                    UPDATE ad_keys SET retires_at = ?, ends_at = ?
                    WHERE environment_id = ? AND purpose = ? AND \(overlap ? "retires_at" : "ends_at") > ?
                    """,
                    [
                        .moment(moment), .moment(overlap ? moment + purpose.overlap : moment),
                        .id(environmentID), .text(purpose.rawValue), .moment(moment),
                    ])
            }
        }
        forget()
        try await database.notify(AdRecordStore.changeChannel, environmentID.rawValue)
    }

    /// Forgets every key; they are read again when needed.
    func forget() { state.withLockedValue { $0 = State(generation: $0.generation + 1) } }

    private func refresh(at moment: Timestamp) {
        state.withLockedValue { state in
            guard let since = state.since, moment - since < Self.cacheLifetime, since <= moment else {
                state = State(generation: state.generation, since: moment)
                return
            }
        }
    }

    private func keep(_ key: AdKey, ifStill generation: Int) -> AdKey {
        let moment = now()
        state.withLockedValue { state in
            guard state.generation == generation else { return }
            if state.byID.count >= Self.maximumCached {
                state = State(generation: generation, since: state.since)
            }
            state.byID[key.id] = key
            let name = Name(environmentID: key.environmentID, purpose: key.purpose)
            if moment < key.retiresAt { state.current[name] = key }
        }
        return key
    }

    private func open(_ row: SQLRow) throws -> AdKey {
        let environmentID: EnvironmentID = try row.id("environment_id"), id = try row.text("id")
        guard let purpose = AdKey.Purpose(rawValue: try row.text("purpose")) else {
            throw Problem.notFound("key")
        }
        return AdKey(
            environmentID: environmentID, id: id, purpose: purpose,
            secret: try box.unseal(try row.blob("sealed"), for: Self.sealingContext(environmentID, id)),
            createdAt: try row.moment("created_at"), retiresAt: try row.moment("retires_at"),
            endsAt: try row.moment("ends_at"))
    }

    /// The newest key that signs at a moment.
    private static func find(
        _ name: Name, at moment: Timestamp, _ connection: any SQLConnection
    ) throws -> SQLRow? {
        try connection.row(
            """
            SELECT * FROM ad_keys WHERE environment_id = ? AND purpose = ? AND retires_at > ?
            ORDER BY created_at DESC, id LIMIT 1
            """, [.id(name.environmentID), .text(name.purpose.rawValue), .moment(moment)])
    }

    private static func insert(
        _ key: AdKey, _ sealed: Data, _ connection: any SQLConnection
    ) throws -> SQLRow {
        let row = try connection.row(
            """
            INSERT INTO ad_keys (environment_id, id, purpose, sealed, public, created_at, retires_at, ends_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *
            """,
            [
                .id(key.environmentID), .text(key.id), .text(key.purpose.rawValue), .blob(sealed),
                SQLValue(key.publicText), .moment(key.createdAt), .moment(key.retiresAt),
                .moment(key.endsAt),
            ])
        guard let row else { throw Problem.notFound("key") }
        return row
    }

    private static func sealingContext(_ environmentID: EnvironmentID, _ id: String) -> String {
        "ads \(environmentID)/\(id)"
    }
}

extension AdKeyStore: SealedKeyStore {
    package var keyOwner: String { "ads" }

    package func sealedKeys(_ connection: any SQLConnection) throws -> [SealedKey] {
        try connection.rows(
            "SELECT environment_id, id, sealed FROM ad_keys WHERE ends_at > ?", [.moment(now())]
        ).map { row in
            let environmentID: EnvironmentID = try row.id("environment_id")
            let id = try row.text("id")
            return SealedKey(
                names: [.id(environmentID), .text(id)], context: Self.sealingContext(environmentID, id),
                sealed: try row.blob("sealed"))
        }
    }

    /// Ends keys now: their signatures are no longer accepted, and new keys are created at the next signature.
    package func discard(_ keys: [SealedKey], _ connection: any SQLConnection) throws {
        let moment = now()
        for key in keys {
            try connection.execute(
                "UPDATE ad_keys SET retires_at = ?, ends_at = ? WHERE environment_id = ? AND id = ?",
                [.moment(moment), .moment(moment)] + key.names)
        }
    }
}
