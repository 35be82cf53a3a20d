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

    /// Far more than the program's own statements; a bound for lists of placeholders of every length.
    private static let limit = 1_000
    private var prepared: [String: [Prepared]] = [:]
    private var count = 0
    private var namesGiven = 0

    /// The name under which the statement is prepared, after preparing it when it is new.
    mutating func name(
        of sql: String, types: [Oid], prepare: (_ name: String, _ numbered: String) throws -> Void,
        reset: () throws -> Void
    ) throws -> String {
        if let known = prepared[sql]?.first(where: { $0.fits(types) }) { return known.name }
        if count >= Self.limit {
            try reset()
            forgetAll()
        }
        // Never a name twice: after `forgetAll` the server may still hold the old ones.
        namesGiven += 1
        let name = "s\(namesGiven)"
        try prepare(name, SQLDialect.numberingPlaceholders(sql))
        prepared[sql, default: []].append(Prepared(name: name, types: types))
        count += 1
        return name
    }

    /// Prepares everything anew from now on.
    mutating func forgetAll() {
        prepared = [:]
        count = 0
    }
}
