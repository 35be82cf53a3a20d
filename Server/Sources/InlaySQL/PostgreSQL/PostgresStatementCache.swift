import CLibPQ

/// The statements that one connection has prepared.
///
/// A statement is prepared for the types of its arguments. `NULL` fits every type, so a nullable
/// argument costs a second preparation only when `NULL` came first.
struct PostgresStatementCache {
    private struct Prepared {
        let name: String
        let types: [Oid]

        func fits(_ wanted: [Oid]) -> Bool {
            types.count == wanted.count && zip(types, wanted).allSatisfy { $0 == $1 || $1 == 0 }
        }
    }

    /// The maximum number of prepared statements, far above the number of the program's own. Lists of placeholders of
    /// any length would otherwise exceed every limit.
    private static let maximumCount = 1_000
    private var prepared: [String: [Prepared]] = [:]
    private var count = 0
    private var namesGiven = 0

    /// Returns the name of the prepared statement, and prepares it when it is new.
    mutating func name(
        of sql: String, types: [Oid], prepare: (_ name: String, _ numbered: String) throws -> Void,
        reset: () throws -> Void
    ) throws -> String {
        if let known = prepared[sql]?.first(where: { $0.fits(types) }) { return known.name }
        if count >= Self.maximumCount {
            try reset()
            forgetAll()
        }
        // No name is used twice: after `forgetAll` the server may still have the old statements.
        namesGiven += 1
        let name = "s\(namesGiven)"
        try prepare(name, SQLDialect.numberingPlaceholders(sql))
        prepared[sql, default: []].append(Prepared(name: name, types: types))
        count += 1
        return name
    }

    /// Forgets all statements, so that each is prepared again.
    mutating func forgetAll() {
        prepared = [:]
        count = 0
    }
}
