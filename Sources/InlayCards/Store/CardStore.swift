import Foundation
import GRDB
import InlayCore
import InlayWire

/// What the cards feature keeps on disk for one user.
struct CardStore: Sendable {
    let database: Store

    init(_ store: Store) {
        database = store
        store.adopt(CardSchema.schema)
    }

    /// The container's feed as it was received last; `nil` when there is none this version can read.
    func feed(_ container: String) async throws -> CardFeed? {
        let body = try await database.read { database in
            try Data.fetchOne(
                database, sql: "SELECT body FROM card_feed WHERE container = ?", arguments: [container])
        }
        return body.flatMap { try? JSONDecoder().decode(CardFeed.self, from: $0) }
    }

    /// How a save ended.
    struct Saved: Sendable {
        /// Whether the feed was newer than the one before; else nothing of it was kept.
        var isNewer: Bool
        /// The marks that were deleted because no feed needs them any longer.
        var released: [String]
    }

    /// Keeps a feed unless a newer one is there, and deletes the answered marks that it makes needless.
    ///
    /// The body is kept as it came, so that a later version of the app reads what this one cannot.
    func save(_ feed: CardFeed, body: Data, answered: Set<String>) async throws -> Saved {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO card_feed (container, version, body) VALUES (?, ?, ?)
                    ON CONFLICT (container) DO UPDATE SET version = excluded.version, body = excluded.body
                    WHERE excluded.version > card_feed.version
                    """, arguments: [feed.containerID, feed.version, body])
            let isNewer = database.changesCount > 0
            if isNewer { try Self.replaceMembers(feed, in: database) }
            return Saved(isNewer: isNewer, released: try Self.release(answered, feed: feed, in: database))
        }
    }

    /// The server said that the stored feed is the newest; deletes the answered marks it makes needless.
    func confirm(_ container: String, answered: Set<String>) async throws -> [String] {
        guard !answered.isEmpty, let feed = try await feed(container) else { return [] }
        return try await database.write { try Self.release(answered, feed: feed, in: $0) }
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
        let released = try marks(in: database).filter { mark in
            guard answered.contains(mark.actionID) else { return false }
            let isListed = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM card_member WHERE card = ?)",
                arguments: [mark.cardID])
            if isListed == false { return true }
            // A snooze that is over hides nothing; a dismissal is needed as long as any feed lists the card.
            return mark.until.map { $0 <= feed.serverTime } ?? false
        }
        for mark in released { try delete(mark.actionID, in: database) }
        return released.map(\.actionID)
    }
}
