package import InlaySQL

/// A table of sums to which many nodes add at the same time.
///
/// Each connection that writes adds to rows of its own, so that nobody waits for the end of another's transaction. The
/// sum of a key is the sum of its rows, which every query has to add up. Rows that nobody adds to any more are folded
/// into one, with the writer 0. Adding and folding are part of a transaction each, so the sums are exact at every moment.
package struct CounterTable: Sendable {
    let name: String
    /// The columns of the primary key before the last, which is `writer`.
    let key: [String]
    /// The columns that are added up.
    package let counts: [String]

    package init(name: String, key: [String], counts: [String]) {
        self.name = name
        self.key = key
        self.counts = counts
    }

    private static let piece = 500

    /// Adds amounts, one for each of `columns`, to the row that the connection has of a key.
    package func add(
        _ amounts: [Int64], to columns: [String], key values: [SQLValue], in connection: any SQLConnection
    ) throws {
        try add(amounts, to: columns, key: values, writer: connection.writerNumber, in: connection)
    }

    /// Makes one row of those of each key that a condition finds, piece by piece.
    ///
    /// The condition should find only what nobody adds to any more: whoever does waits for the fold, and adds to a row
    /// that is folded later. Rows that another node folds or adds to at the moment are left out.
    package func fold(where condition: String, _ arguments: [SQLValue], in database: any SQLDatabase)
        async throws
    {
        let all = (key + ["writer"]).joined(separator: ", ")
        let sql = """
            DELETE FROM \(name) WHERE (\(all)) IN (SELECT \(all) FROM \(name)
                WHERE writer <> 0 AND \(condition) LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING *
            """
        let values = arguments + [.int(Self.piece)]
        var count = Self.piece
        while count == Self.piece {
            try Task.checkCancellation()
            count = try await database.write { connection in
                let rows = try connection.rows(sql, values)
                // One order for all nodes, so that two that fold never wait for each other in a circle.
                for (key, amounts) in try sums(of: rows).sorted(by: { "\($0.key)" < "\($1.key)" }) {
                    try add(amounts, to: counts, key: key, writer: 0, in: connection)
                }
                return rows.count
            }
        }
    }

    private func sums(of rows: [SQLRow]) throws -> [[SQLValue]: [Int64]] {
        try rows.reduce(into: [:]) { sums, row in
            let amounts = try counts.map(row.int64)
            let place = try key.map(row.value)
            sums[place] = sums[place].map { zip($0, amounts).map(+) } ?? amounts
        }
    }

    private func add(
        _ amounts: [Int64], to columns: [String], key values: [SQLValue], writer: Int64,
        in connection: any SQLConnection
    ) throws {
        let all = key + ["writer"]
        let places = Array(repeating: "?", count: all.count + columns.count).joined(separator: ", ")
        let sums = columns.map { "\($0) = \(name).\($0) + excluded.\($0)" }.joined(separator: ", ")
        try connection.execute(
            """
            INSERT INTO \(name) (\((all + columns).joined(separator: ", "))) VALUES (\(places))
            ON CONFLICT (\(all.joined(separator: ", "))) DO UPDATE SET \(sums)
            """, values + [.integer(writer)] + amounts.map(SQLValue.integer))
    }
}
