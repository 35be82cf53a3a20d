import InlaySQL

/// The users whom an event is still to reach, as pieces in the database.
///
/// A piece is taken in the transaction that makes its cards, so nobody is reached twice and nobody is left out,
/// whichever node takes it.
struct CardAudience {
    /// The users of one piece.
    struct Piece: Sendable {
        let users: [String]
        let isLast: Bool
    }

    /// Users of one piece: one statement takes so many, and other writers wait only for milliseconds.
    static let pieceSize = SQLRows.maximumRows

    let environmentID: String
    let eventID: String
    let connection: any SQLConnection

    /// The users in pieces, in their order.
    static func pieces(_ users: [String]) -> [[String]] {
        stride(from: 0, to: users.count, by: pieceSize).map {
            Array(users[$0..<min($0 + pieceSize, users.count)])
        }
    }

    /// Stores pieces from a number on; `isEnd` says that the last of them is the audience's last.
    func add(_ pieces: ArraySlice<[String]>, isEnd: Bool) throws {
        let rows = try pieces.indices.map { index -> [SQLValue] in
            [
                .text(try CardJSON.text(pieces[index])), .int(index),
                .bool(isEnd && index == pieces.endIndex - 1),
            ]
        }
        let padded = SQLRows.padded(rows)
        try connection.execute(
            """
            WITH \(SQLRows.table("p", ["user_ids", "piece", "is_last"], padded.count))
            INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last)
            SELECT ?, ?, p.piece, p.user_ids, p.is_last FROM p WHERE p.user_ids <> ''
            """, padded.values + [.text(environmentID), .text(eventID)])
    }

    /// Removes the first piece and returns it; the caller holds the event's row. An audience that has none is at its end.
    func take() throws -> Piece {
        let key: [SQLValue] = [.text(environmentID), .text(eventID)]
        let row = try connection.row(
            """
            DELETE FROM card_audiences WHERE environment_id = ? AND event_id = ? AND piece =
                (SELECT MIN(piece) FROM card_audiences WHERE environment_id = ? AND event_id = ?)
            RETURNING user_ids, is_last
            """, key + key)
        guard let row else { return Piece(users: [], isLast: true) }
        return Piece(users: try CardJSON.value(try row.text("user_ids")), isLast: try row.bool("is_last"))
    }

    /// Removes all pieces.
    func clear() throws {
        try connection.execute(
            "DELETE FROM card_audiences WHERE environment_id = ? AND event_id = ?",
            [.text(environmentID), .text(eventID)])
    }

    /// Removes a user from the pieces of every event of an environment.
    static func erase(
        _ userID: String, _ environmentID: String, in connection: any SQLConnection
    ) throws {
        let rows = try connection.rows(
            """
            SELECT event_id, piece, user_ids FROM card_audiences
            WHERE environment_id = ? AND user_ids LIKE ? ESCAPE '!'
            """, [.text(environmentID), .containing(try CardJSON.text(userID))])
        for row in rows {
            let users: [String] = try CardJSON.value(try row.text("user_ids"))
            try connection.execute(
                "UPDATE card_audiences SET user_ids = ? WHERE environment_id = ? AND event_id = ? AND piece = ?",
                [
                    .text(try CardJSON.text(users.filter { $0 != userID })), .text(environmentID),
                    .text(try row.text("event_id")), .int(try row.int("piece")),
                ])
        }
    }
}
