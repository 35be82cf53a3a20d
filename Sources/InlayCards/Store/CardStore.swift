import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The storage of the cards feature for one user.
struct CardStore: Sendable {
    let store: Store

    init(_ store: Store) {
        self.store = store
        store.register(CardSchema.schema)
    }

    /// Returns the container's last feed; `nil` when none is stored or this version of the SDK cannot read it.
    func feed(_ container: String) async throws -> CardFeed? {
        let body = try await store.read { database in
            try Data.fetchOne(
                database, sql: "SELECT body FROM card_feed WHERE container = ?", arguments: [container])
        }
        return body.flatMap { try? JSONDecoder().decode(CardFeed.self, from: $0) }
    }

    /// The outcome of a save.
    struct Saved: Sendable {
        /// Whether the feed was newer than the stored one. Otherwise it was not stored.
        var isNewer: Bool
        /// The ids of the pending actions that were deleted because no stored feed needs them any longer.
        var released: [String]
    }

    /// Stores a feed unless the stored one is as new, and deletes the answered pending actions that are not needed.
    ///
    /// The body is stored unchanged, so that a later version of the SDK can read parts that this one cannot.
    func save(_ feed: CardFeed, body: Data, answered: Set<String>) async throws -> Saved {
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO card_feed (container, version, body) VALUES (?, ?, ?)
                    ON CONFLICT (container) DO UPDATE SET version = excluded.version, body = excluded.body
                    WHERE excluded.version > card_feed.version
                    """, arguments: [feed.containerID, feed.version, body])
            let isNewer = database.changesCount > 0
            if isNewer {
                try Self.replaceMembers(feed, in: database)
                // A card that no feed lists is not counted. If it comes back, the server's feed says that it was seen.
                try database.execute(
                    sql: "DELETE FROM card_seen WHERE card NOT IN (SELECT card FROM card_member)")
            }
            return Saved(isNewer: isNewer, released: try Self.release(answered, feed: feed, in: database))
        }
    }

    /// Confirms that the stored feed is the newest, and deletes the answered pending actions that are not needed.
    func confirm(_ container: String, answered: Set<String>) async throws -> [String] {
        guard !answered.isEmpty, let feed = try await feed(container) else { return [] }
        return try await store.write { try Self.release(answered, feed: feed, in: $0) }
    }

    private static func replaceMembers(_ feed: CardFeed, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM card_member WHERE container = ?", arguments: [feed.containerID])
        for card in feed.cards.elements {
            try database.execute(
                sql: "INSERT OR IGNORE INTO card_member (card, container) VALUES (?, ?)",
                arguments: [card.id, feed.containerID])
        }
    }

    private static func release(_ answered: Set<String>, feed: CardFeed, in database: Database) throws
        -> [String]
    {
        let released = try pendingActions(in: database).filter { pending in
            guard answered.contains(pending.actionID) else { return false }
            let isListed = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM card_member WHERE card = ?)",
                arguments: [pending.cardID])
            if isListed == false { return true }
            // A snooze is needed until it ends, any other action as long as a feed lists the card.
            return pending.until.map { $0 <= feed.serverTime } ?? false
        }
        for pending in released { try delete(pending.actionID, in: database) }
        return released.map(\.actionID)
    }
}

extension CardStore {
    /// Returns the last appearance of a container; `nil` when none is stored or it cannot be read.
    func appearance(_ container: String) async throws -> CardAppearance? {
        let body = try await store.read { database in
            try Data.fetchOne(
                database, sql: "SELECT body FROM card_appearance WHERE container = ?", arguments: [container])
        }
        return body.flatMap { try? JSONDecoder().decode(CardAppearance.self, from: $0) }
    }

    /// Stores an appearance for the next launch unless the stored one is as new.
    func save(_ appearance: CardAppearance, body: Data, container: String) async throws {
        try await store.write { database in
            try database.execute(
                sql: """
                    INSERT INTO card_appearance (container, version, body) VALUES (?, ?, ?)
                    ON CONFLICT (container) DO UPDATE SET version = excluded.version, body = excluded.body
                    WHERE excluded.version > card_appearance.version
                    """, arguments: [container, appearance.version, body])
        }
    }
}
