package import InlaySQL

/// A table of sums to which many nodes add at the same time.
///
/// Each connection that writes adds to its own rows, so that no transaction waits for another. The value of a key is
/// the sum of its rows, which every query has to add up. Rows to which no connection adds any more are folded into one
/// row, with the writer 0. Each addition and each fold is part of one transaction, so the sums are always exact.
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

    private static let batchSize = 500

    /// Adds amounts, one for each of `columns`, to the connection's own row of a key.
    package func add(
        _ amounts: [Int64], to columns: [String], key values: [SQLValue], in connection: any SQLConnection
    ) throws {
        try add(amounts, to: columns, key: values, writer: connection.writerNumber, in: connection)
    }

    /// Folds the rows that match a condition into one row for each key, up to 500 rows in a transaction.
    ///
    /// The condition should match only rows that no caller adds to any more. A caller that still does waits for the
    /// fold, and then adds to a new row, which a later fold takes. Rows that another node has locked, because it folds
    /// or adds to them, are skipped.
    package func fold(where condition: String, _ arguments: [SQLValue], in database: any SQLDatabase)
        async throws
    {
        let all = (key + ["writer"]).joined(separator: ", ")
        let sql = """
            DELETE FROM \(name) WHERE (\(all)) IN (SELECT \(all) FROM \(name)
                WHERE writer <> 0 AND \(condition) LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING *
            """
        let values = arguments + [.int(Self.batchSize)]
        var count = Self.batchSize
        while count == Self.batchSize {
            try Task.checkCancellation()
            count = try await database.write { connection in
                let rows = try connection.rows(sql, values)
                // All nodes lock the rows in the same order, so that two folds never deadlock.
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
