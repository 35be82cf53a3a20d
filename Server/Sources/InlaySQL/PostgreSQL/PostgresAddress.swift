import CLibPQ
import Foundation

/// Where a PostgreSQL is and how every connection to it is set up.
struct PostgresAddress: Sendable {
    let url: String
    /// How long a statement may run; `nil` for as long as it takes.
    var statementLimit: Duration?

    /// Limits of every session: one that sits in a transaction holds locks that others wait for.
    private static let settings = """
        SET lock_timeout = '10s';
        SET idle_in_transaction_session_timeout = '60s';
        SET client_min_messages = 'warning';
        SET standard_conforming_strings = on;
        SET bytea_output = 'hex';
        SET extra_float_digits = 1;
        SET default_transaction_isolation = 'read committed';
        SET TimeZone = 'UTC'
        """

    /// Opens a connection; blocks at most about 10 s for each address that the host's name has.
    func connect() throws -> PostgresLink {
        // What stands before `dbname` are defaults that the URL may overrule, what stands after it is not.
        let options: [(name: String, value: String)] = [
            ("connect_timeout", "10"), ("fallback_application_name", "inlay"),
            // A peer that vanished without a word is noticed after about a minute.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let raw = Self.withCStrings(options.map(\.name)) { names in
            Self.withCStrings(options.map(\.value)) { PQconnectdbParams(names, $0, 1) }
        }
        guard let raw else { throw SQLError(.other, "Out of memory for a connection.") }
        let link = PostgresLink(raw)
        guard PQstatus(raw) == CONNECTION_OK else { throw link.openingError() }
        // 0 is PostgreSQL's word for no limit.
        let milliseconds = statementLimit.map { Int64($0 / .milliseconds(1)) } ?? 0
        try link.runScript("SET statement_timeout = \(milliseconds);\n" + Self.settings)
        return link
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) -> R {
        var pointers = strings.map { UnsafePointer(strdup($0)) }
        pointers.append(nil)
        defer { pointers.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        return body(pointers)
    }
}
