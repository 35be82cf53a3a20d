import InlaySQL
import InlayServerCore

/// The users that an event has not reached yet, stored in pieces in the database.
///
/// A piece is removed in the transaction that makes its cards, so no user is reached twice and no user is left out,
/// whichever node delivers it.
struct CardAudience {
    /// The users of one piece.
    struct Piece: Sendable {
        let users: [UserID]
        let isLast: Bool
    }

    /// The maximum number of users in a piece: one statement can process them, and other writers wait only
    /// milliseconds.
    static let pieceSize = SQLRows.maximumRows

    let environmentID: EnvironmentID
    let eventID: CardEventID
    let connection: any SQLConnection

    /// Returns users in pieces, in their order.
    static func pieces(_ users: [UserID]) -> [[UserID]] {
        stride(from: 0, to: users.count, by: pieceSize).map {
            Array(users[$0..<min($0 + pieceSize, users.count)])
        }
    }

    /// Stores pieces, numbered from `number`; with `isEnd`, the last of them is the audience's last.
    func add(_ pieces: ArraySlice<[UserID]>, from number: Int, isEnd: Bool) throws {
        guard !pieces.isEmpty else { return }
        let rows = try pieces.indices.map { index -> [SQLValue] in
            [
                .text(try JSONColumn.text(pieces[index].map(\.rawValue))),
                .int(number + index - pieces.startIndex),
                .bool(isEnd && index == pieces.endIndex - 1),
            ]
        }
        let padded = SQLRows.padded(rows)
        try connection.execute(
            """
            WITH \(SQLRows.table("p", ["user_ids", "piece", "is_last"], padded.count))
            INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last)
            SELECT ?, ?, p.piece, p.user_ids, p.is_last FROM p WHERE p.user_ids <> ''
            """, padded.values + [.id(environmentID), .id(eventID)])
    }

    /// Removes the first piece and returns it; an empty last piece when there is none. The caller has locked the
    /// event's row.
    func take() throws -> Piece {
        let key: [SQLValue] = [.id(environmentID), .id(eventID)]
        let row = try connection.row(
            """
            DELETE FROM card_audiences WHERE environment_id = ? AND event_id = ? AND piece =
                (SELECT MIN(piece) FROM card_audiences WHERE environment_id = ? AND event_id = ?)
            RETURNING user_ids, is_last
            """, key + key)
        guard let row else { return Piece(users: [], isLast: true) }
        // The ids are decoded as strings, which Foundation decodes faster than id types; there are many.
        let users = try JSONColumn.value(try row.text("user_ids"), as: [String].self)
        return Piece(users: users.map { UserID($0) }, isLast: try row.bool("is_last"))
    }

    /// Removes all pieces.
    func clear() throws {
        try connection.execute(
            "DELETE FROM card_audiences WHERE environment_id = ? AND event_id = ?",
            [.id(environmentID), .id(eventID)])
    }

    /// Removes a user from the stored pieces of every event of an environment, and from the pieces that running
    /// searches will store.
    ///
    /// The user's id is first written to the row of each event whose audience is being searched for. A search locks
    /// this row before it stores pieces and removes the users in it from them. The pieces that were stored earlier are
    /// changed afterwards. No index leads from a user to pieces, so all of them are read outside of the writer, which
    /// changes only those that contain the user.
    static func erase(
        _ userID: UserID, _ environmentID: EnvironmentID, _ database: any SQLDatabase
    ) async throws {
        let json = try JSONColumn.text(userID)
        _ = try await database.write {
            try $0.execute(
                """
                UPDATE card_events SET erased_user_ids = erased_user_ids || CAST(? AS TEXT)
                WHERE environment_id = ? AND is_done = 0 AND is_listed = 0
                """, [.text(json + ","), .id(environmentID)])
        }
        let pattern = SQLValue.containing(json)
        let found = try await database.read { connection in
            try connection.rows(
                "SELECT event_id, piece FROM card_audiences WHERE environment_id = ? AND user_ids LIKE ? ESCAPE '!'",
                [.id(environmentID), pattern]
            ).map {
                [SQLValue.id(environmentID), .text(try $0.text("event_id")), .int(try $0.int("piece"))]
            }
        }
        for key in found {
            _ = try await database.write { try erase(userID, piece: key, in: $0) }
        }
    }

    private static func erase(
        _ userID: UserID, piece key: [SQLValue], in connection: any SQLConnection
    ) throws {
        let this = "WHERE environment_id = ? AND event_id = ? AND piece = ?"
        // A piece that was delivered meanwhile is gone; its cards are removed after this. If another node erased a user
        // from the piece after it was read, nothing is changed here, and the piece is read again.
        while let row = try connection.row("SELECT user_ids FROM card_audiences \(this)", key) {
            let text = try row.text("user_ids")
            let users: [UserID] = try JSONColumn.value(text)
            let count = try connection.execute(
                "UPDATE card_audiences SET user_ids = ? \(this) AND user_ids = ?",
                [.text(try JSONColumn.text(users.filter { $0 != userID }))] + key + [.text(text)])
            if count == 1 { return }
        }
    }

    /// Returns the users that were erased since the event was sent, from the event's row.
    static func erased(_ row: SQLRow) throws -> Set<UserID> {
        let ids: [UserID] = try JSONColumn.value("[\(try row.text("erased_user_ids").dropLast())]")
        return Set(ids)
    }
}
