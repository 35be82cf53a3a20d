import CLibPQ
import Foundation

/// The address of a PostgreSQL server with the settings of every connection to it.
struct PostgresAddress: Sendable {
    private let url: String
    /// The time limit of a statement; `nil` for no limit.
    var statementLimit: Duration?
    /// The time without a response after which the server counts as unresponsive.
    var answerLimit: Duration
    /// The state of the server, shared by the database's connections.
    var serverState = PostgresServerState()
    /// Additional statements that each session runs first.
    var settings = ""

    /// Checks an address.
    ///
    /// - Throws: ``SQLError`` of the kind `cannotOpen` that names the part that cannot be read, without its text.
    init(url: String, statementLimit: Duration? = nil, answerLimit: Duration = .seconds(10)) throws {
        guard let parts = PostgresURL(url) else { throw SQLError.unknownAddress }
        try parts.check()
        (self.url, self.statementLimit, self.answerLimit) = (url, statementLimit, answerLimit)
    }

    /// Settings of every session. The limits end sessions that hold locks for too long.
    ///
    /// `client_connection_check_interval`, new in PostgreSQL 14, ends the statements of clients that have disconnected.
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

    /// The deadline of a call in this process; later than the server's own limit, so that the server's clearer error
    /// comes first.
    var callLimit: Duration? { statementLimit.map { $0 + answerLimit } }

    /// libpq's limit for each host and address, which must be at least two seconds.
    private var connectSeconds: Int64 { max(2, answerLimit.components.seconds) }

    /// Opens a connection. Blocks for at most the answer limit for each address of the hosts.
    func connect() throws -> LibPQConnection {
        // The URL in `dbname` overrides the options before it; the options after it override the URL.
        let options: [(name: String, value: String)] = [
            ("connect_timeout", "\(connectSeconds)"), ("fallback_application_name", "inlay"),
            // A peer that vanished is noticed after about a minute.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "60000"),
            ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let start = ContinuousClock.now
        let raw = try PostgresConnectAttempt.open(serverState) {
            Self.withCStrings(options.map(\.name)) { names in
                Self.withCStrings(options.map(\.value)) { PQconnectdbParams(names, $0, 1) }
            }
        }
        guard let raw else { throw SQLError(.other, "Out of memory for a connection.") }
        let connection = LibPQConnection(raw, limit: callLimit, serverState: serverState)
        guard PQstatus(raw) == CONNECTION_OK else {
            // A server that timed out is reported as unresponsive, which is not retried at once. libpq counts in
            // whole seconds, so its limit may come a second early.
            let isUnresponsive = start.duration(to: .now) > .seconds(connectSeconds - 1)
            throw isUnresponsive ? SQLError.unresponsive : connection.openingError()
        }
        guard PQsetnonblocking(raw, 1) == 0 else { throw connection.lostError() }
        // 0 means no limit to PostgreSQL.
        let milliseconds = statementLimit.map { Int64($0 / .milliseconds(1)) } ?? 0
        try connection.runScript("SET statement_timeout = \(milliseconds);\n" + settings + Self.settings)
        return connection
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

/// The URL contains the password, so neither a log line nor reflection may show it.
extension PostgresAddress: CustomStringConvertible, CustomReflectable {
    var description: String { "PostgresAddress" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
