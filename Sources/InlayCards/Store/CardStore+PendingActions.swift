import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

extension CardStore {
    /// Returns all pending actions of the user.
    func pendingActions() async throws -> PendingCardActions {
        PendingCardActions(try await store.read { try Self.pendingActions(in: $0) })
    }

    /// Adds a pending action, in the transaction that enqueues the action.
    static func insert(_ pending: PendingCardAction, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO card_mark (action, card, container, status, until, taken, is_settled)
                VALUES (?, ?, ?, ?, ?, ?, 0)
                """,
            arguments: [
                pending.actionID, pending.cardID, pending.containerID, pending.status.rawValue,
                pending.until?.microseconds,
                pending.taken.microseconds,
            ])
    }

    /// Stores the outcomes of actions, in the transaction that removes the actions from the outbox.
    static func settle(_ outcomes: [OutboxOutcome], in database: Database) throws {
        for outcome in outcomes {
            if outcome.leavesCardClosed {
                try database.execute(
                    sql: "UPDATE card_mark SET is_settled = 1 WHERE action = ?", arguments: [outcome.id])
            } else {
                try delete(outcome.id, in: database)
            }
        }
    }

    static func delete(_ actionID: String, in database: Database) throws {
        try database.execute(sql: "DELETE FROM card_mark WHERE action = ?", arguments: [actionID])
    }

    static func pendingActions(in database: Database) throws -> [PendingCardAction] {
        try Row.fetchAll(database, sql: "SELECT * FROM card_mark ORDER BY action").compactMap { row in
            guard let status = CardStatus(rawValue: row["status"]) else { return nil }
            let until: Int64? = row["until"]
            return PendingCardAction(
                actionID: row["action"], cardID: row["card"], containerID: row["container"], status: status,
                until: until.map(Timestamp.init(microseconds:)), taken: Timestamp(microseconds: row["taken"]),
                state: row["is_settled"] ? .settled : .pending)
        }
    }

    /// Returns the ids of the cards that were on screen on this device.
    func seen() async throws -> Set<String> {
        try await store.read { try Set(String.fetchAll($0, sql: "SELECT card FROM card_seen")) }
    }

    /// Stores that a card was on screen.
    func markSeen(_ cardID: String) async throws {
        try await store.write {
            try $0.execute(sql: "INSERT OR IGNORE INTO card_seen (card) VALUES (?)", arguments: [cardID])
        }
    }
}

extension OutboxOutcome {
    /// Whether the card stays hidden: the server accepted the action, or another action had closed the card before.
    /// After any other refusal the card is shown again.
    var leavesCardClosed: Bool {
        switch self {
        case .accepted: true
        case .refused(_, let problem): problem.code == .conflict
        case .dropped: false
        }
    }
}
