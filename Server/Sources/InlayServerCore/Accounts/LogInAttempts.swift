package import InlaySQL
@_spi(Inlay) package import InlayWire

/// The counts of wrong passwords in a row, by log-in name, whether the name has an account or not.
///
/// After five wrong passwords each further one costs a wait, which doubles from 30 seconds to an hour. After a hundred,
/// an end user needs a code by mail; an operator, who has no code, waits an hour for each. An attempt is counted before
/// its password is checked, so that concurrent attempts do not evade the limit, and a right password removes the count.
///
/// A network from which a log-in with this name succeeded within a month has a count of its own, so attempts of
/// strangers elsewhere do not lock the user out there.
package struct LogInAttempts: Sendable {
    package enum Verdict: Hashable, Sendable {
        case allowed
        case wait(Duration)
        case locked
    }

    static let freeAttempts = 5
    static let maximum = 100
    /// The time for which a network is known after a successful log-in from it.
    static let knownNetworkLifetime: Duration = .seconds(30 * 24 * 3600)

    /// The table with the counts.
    let table: Table
    /// Empty for operators, who belong to no environment.
    let environmentID: EnvironmentID
    /// The name of the login: a mail address or an operator's login.
    let name: String
    /// The caller. Its network is counted.
    let caller: CallerAddress
    /// Whether the caller has a count of its own in any case: an operator who is signed in already.
    let isKnown: Bool

    /// Creates the attempts to log in with a name. `isKnown` gives the caller a count of its own in any case.
    package init(
        table: Table, environmentID: EnvironmentID, name: String, caller: CallerAddress, isKnown: Bool = false
    ) {
        self.table = table
        self.environmentID = environmentID
        self.name = name
        self.caller = caller
        self.isKnown = isKnown
    }

    /// The tables that hold counts.
    package enum Table: String, Sendable {
        case endUsers = "device_attempts"
        case operators = "operator_attempts"
    }

    /// Counts an attempt and allows it, or returns why it is refused.
    package func begin(at moment: Timestamp, in connection: any SQLConnection) throws -> Verdict {
        let counter = try counter(in: connection)
        try connection.execute(
            """
            INSERT INTO \(table.rawValue) (environment_id, email_hash, network_hash, failures, failed_at, wait_until)
            VALUES (?, ?, ?, 0, ?, 0) ON CONFLICT (environment_id, email_hash, network_hash) DO NOTHING
            """, counter + [.moment(moment)])
        let row = try connection.row(
            "SELECT failures, wait_until FROM \(table.rawValue) WHERE \(Self.isCounter)", counter)
        let failures = try row?.int("failures") ?? 0, until = try row?.moment("wait_until") ?? moment
        guard failures < Self.maximum || table == .operators else { return .locked }
        guard until <= moment else { return .wait(until - moment) }
        let taken = try connection.execute(
            """
            UPDATE \(table.rawValue) SET failures = ?, failed_at = ?, wait_until = ?
            WHERE \(Self.isCounter) AND failures = ?
            """,
            [.int(failures + 1), .moment(moment), .moment(moment + Self.wait(after: failures + 1))] + counter
                + [.int(failures)])
        // Another node counted an attempt at the same moment.
        return taken == 1 ? .allowed : .wait(.seconds(1))
    }

    /// Records a right password: removes the count of the caller's attempts and remembers the caller's network.
    package func succeed(at moment: Timestamp, in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM \(table.rawValue) WHERE \(Self.isCounter)", try counter(in: connection))
        try rememberNetwork(at: moment, in: connection)
    }

    /// Records a right code from a mail: resets every count of the name and remembers the caller's network.
    ///
    /// Known networks stay known, because strangers may go on trying. When the address had not been proven before, they
    /// are forgotten: until then anybody may have logged in from anywhere.
    package func succeedWithCode(wasProven: Bool, at moment: Timestamp, in connection: any SQLConnection)
        throws
    {
        if wasProven { try reset(in: connection) } else { try erase(in: connection) }
        try rememberNetwork(at: moment, in: connection)
    }

    /// Resets every count of the name; known networks stay known.
    func reset(in connection: any SQLConnection) throws {
        try connection.execute("DELETE FROM \(table.rawValue) WHERE \(Self.isCounter)", key(""))
        try connection.execute(
            "UPDATE \(table.rawValue) SET failures = 0, wait_until = 0 WHERE environment_id = ? AND email_hash = ?",
            [.id(environmentID), .text(Secret.hash(name))])
    }

    /// Whether a log-in with this name succeeded from the caller's network within a month.
    func isFromKnownNetwork(in connection: any SQLConnection) throws -> Bool {
        let own = key(network)
        return try connection.row(
            "SELECT known_at FROM \(table.rawValue) WHERE \(Self.isCounter) AND known_at IS NOT NULL", own)
            != nil
    }

    /// Removes every count and every known network of the name.
    package func erase(in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM \(table.rawValue) WHERE environment_id = ? AND email_hash = ?",
            [.id(environmentID), .text(Secret.hash(name))])
    }

    /// Removes outdated rows: networks without a successful log-in for a month, and counts of strangers whose last
    /// attempt is as old. A name that is locked for strangers stays locked.
    package static func purgeExpired(
        _ table: Table, at moment: Timestamp, from database: any SQLDatabase
    ) async throws {
        let key = "environment_id, email_hash, network_hash"
        try await database.delete(
            from: table.rawValue, key: key, where: "known_at <= ?", [.moment(moment - knownNetworkLifetime)])
        try await database.delete(
            from: table.rawValue, key: key,
            where: "known_at IS NULL AND failures < ? AND failed_at <= ?",
            [.int(table == .operators ? .max : maximum), .moment(moment - knownNetworkLifetime)])
    }

    static func wait(after failures: Int) -> Duration {
        guard failures >= freeAttempts else { return .zero }
        return .seconds(min(3600, 30 << min(failures - freeAttempts, 7)))
    }

    // MARK: Below

    private static let isCounter = "environment_id = ? AND email_hash = ? AND network_hash = ?"

    /// Returns the key by which the caller's attempts are counted: its network, or one shared by all strangers.
    private func counter(in connection: any SQLConnection) throws -> [SQLValue] {
        let own = key(network)
        if isKnown { return own }
        let row = try connection.row("SELECT failures FROM \(table.rawValue) WHERE \(Self.isCounter)", own)
        return row == nil ? key("") : own
    }

    private func rememberNetwork(at moment: Timestamp, in connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO \(table.rawValue) (environment_id, email_hash, network_hash, failures, failed_at, wait_until,
                known_at) VALUES (?, ?, ?, 0, ?, 0, ?)
            ON CONFLICT (environment_id, email_hash, network_hash) DO UPDATE SET known_at = excluded.known_at
            """, key(network) + [.moment(moment), .moment(moment)])
    }

    private func key(_ network: String) -> [SQLValue] {
        [.id(environmentID), .text(Secret.hash(name)), .text(network)]
    }

    /// The hash of the caller's network and the name, so that two people's rows do not reveal that they share a
    /// network.
    private var network: String {
        Secret.hash("\(environmentID)\n\(name)\n\(caller.network.name)")
    }
}
