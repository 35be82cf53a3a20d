import CLibPQ
import Foundation

/// Where a PostgreSQL is and how every connection to it is set up.
struct PostgresAddress: Sendable {
    let url: String
    /// How long a statement may run; `nil` for as long as it takes.
    var statementLimit: Duration?
    /// The silence of the server after which it counts as hung.
    var answerLimit = Duration.seconds(10)
    /// The state of the server as the database's connections see it.
    var watch = PostgresWatch()
    /// Statements that each session runs first, beside those of all sessions.
    var settings = ""

    /// Limits of every session: one that sits in a transaction holds locks that others wait for.
    ///
    /// The last one, which ends the statement of a client that is gone, is unknown before PostgreSQL 14.
    private static let settings = """
        SET lock_timeout = '10s';
        SET idle_in_transaction_session_timeout = '60s';
        SET client_min_messages = 'warning';
        SET standard_conforming_strings = on;
        SET bytea_output = 'hex';
        SET extra_float_digits = 1;
        SET default_transaction_isolation = 'read committed';
        SET TimeZone = 'UTC';
        SELECT set_config(name, '5s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'
        """

    /// The client's deadline for one call: longer than the server's own limit, whose error says more.
    var callLimit: Duration? { statementLimit.map { $0 + answerLimit } }

    /// libpq's limit for each host and address; it takes two seconds at least.
    private var connectSeconds: Int64 { max(2, answerLimit.components.seconds) }

    /// Opens a connection; blocks at most for the answer limit for each address that the hosts' names have.
    func connect() throws -> PostgresLink {
        // What stands before `dbname` are defaults that the URL may overrule, what stands after it is not.
        let options: [(name: String, value: String)] = [
            ("connect_timeout", "\(connectSeconds)"), ("fallback_application_name", "inlay"),
            // A peer that vanished without a word is noticed after about a minute.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let start = ContinuousClock.now
        let raw = try PostgresOpening.open(watch) {
            Self.withCStrings(options.map(\.name)) { names in
                Self.withCStrings(options.map(\.value)) { PQconnectdbParams(names, $0, 1) }
            }
        }
        guard let raw else { throw SQLError(.other, "Out of memory for a connection.") }
        let link = PostgresLink(raw, limit: callLimit, watch: watch)
        guard PQstatus(raw) == CONNECTION_OK else {
            // Whoever was silent until the limit is not asked again at once. libpq counts in whole seconds, so
            // that its limit may come a second early.
            let isSilent = start.duration(to: .now) > .seconds(connectSeconds - 1)
            throw isSilent ? SQLError.unresponsive : link.openingError()
        }
        guard PQsetnonblocking(raw, 1) == 0 else { throw link.lostError() }
        // 0 is PostgreSQL's word for no limit.
        let milliseconds = statementLimit.map { Int64($0 / .milliseconds(1)) } ?? 0
        try link.runScript("SET statement_timeout = \(milliseconds);\n" + settings + Self.settings)
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
