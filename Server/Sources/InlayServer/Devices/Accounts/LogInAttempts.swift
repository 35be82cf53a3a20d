import InlaySQL
import InlayWire

/// Wrong passwords in a row, by address, whether it has an account or not.
///
/// Five are free; then each costs a wait that doubles from 30 seconds to an hour; after a hundred only a code
/// by mail helps. An attempt is counted before its password is looked at, so that many at once do not slip
/// through, and a right one takes the count away.
///
/// A network from which somebody got in with this address within a month has a count of its own: what strangers
/// try elsewhere keeps nobody out at home.
struct LogInAttempts: Sendable {
    enum Verdict: Hashable, Sendable {
        case allowed
        case wait(Duration)
        case locked
    }

    static let free = 5
    static let most = 100
    /// A network is known for so long after somebody got in from it.
    static let known: Duration = .seconds(30 * 24 * 3600)

    let environmentID: String
    let address: MailAddress
    /// The caller's address on the network.
    let caller: String

    /// Counts an attempt, or says why it is none.
    func begin(at moment: Timestamp, in connection: any SQLConnection) throws -> Verdict {
        let counter = try counter(in: connection)
        try connection.execute(
            """
            INSERT INTO device_attempts (environment_id, email_hash, network_hash, failures, failed_at, wait_until)
            VALUES (?, ?, ?, 0, ?, 0) ON CONFLICT (environment_id, email_hash, network_hash) DO NOTHING
            """, counter + [.moment(moment)])
        let row = try connection.row(
            "SELECT failures, wait_until FROM device_attempts WHERE \(Self.isCounter)", counter)
        let failures = try row?.int("failures") ?? 0, until = try row?.moment("wait_until") ?? moment
        guard failures < Self.most else { return .locked }
        guard until <= moment else { return .wait(until - moment) }
        let taken = try connection.execute(
            """
            UPDATE device_attempts SET failures = ?, failed_at = ?, wait_until = ?
            WHERE \(Self.isCounter) AND failures = ?
            """,
            [.int(failures + 1), .moment(moment), .moment(moment + Self.wait(after: failures + 1))] + counter
                + [.int(failures)])
        // Another node counted one in the same moment.
        return taken == 1 ? .allowed : .wait(.seconds(1))
    }

    /// The password was right: takes its count away, and knows the network from now on.
    func succeed(at moment: Timestamp, in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM device_attempts WHERE \(Self.isCounter)", try counter(in: connection))
        try know(at: moment, in: connection)
    }

    /// A code by mail was right: every count of the address begins anew, and the network is known from now on.
    ///
    /// Networks that were known stay so, for strangers go on trying. Not those from before the address was proven:
    /// then anybody may have got in from anywhere.
    func prove(wasProven: Bool, at moment: Timestamp, in connection: any SQLConnection) throws {
        if wasProven {
            try connection.execute("DELETE FROM device_attempts WHERE \(Self.isCounter)", key(""))
            try connection.execute(
                "UPDATE device_attempts SET failures = 0, wait_until = 0 WHERE environment_id = ? AND email_hash = ?",
                [.text(environmentID), .text(Secret.hash(address.text))])
        } else {
            try Self.erase(environmentID, address, in: connection)
        }
        try know(at: moment, in: connection)
    }

    /// Forgets everything that was counted for an address.
    static func erase(
        _ environmentID: String, _ address: MailAddress, in connection: any SQLConnection
    ) throws {
        try connection.execute(
            "DELETE FROM device_attempts WHERE environment_id = ? AND email_hash = ?",
            [.text(environmentID), .text(Secret.hash(address.text))])
    }

    /// Forgets what says nothing any more: networks that nobody got in from for a month, and old counts of
    /// strangers. An address that is locked for strangers stays so; an old count below that was a bad day.
    static func removeEnded(at moment: Timestamp, from database: any SQLDatabase) async throws {
        let key = "environment_id, email_hash, network_hash"
        try await database.delete(
            from: "device_attempts", key: key, where: "known_at <= ?", [.moment(moment - known)])
        try await database.delete(
            from: "device_attempts", key: key,
            where: "known_at IS NULL AND failures < ? AND failed_at <= ?",
            [.int(most), .moment(moment - known)])
    }

    static func wait(after failures: Int) -> Duration {
        guard failures >= free else { return .zero }
        return .seconds(min(3600, 30 << min(failures - free, 7)))
    }

    // MARK: Below

    private static let isCounter = "environment_id = ? AND email_hash = ? AND network_hash = ?"

    /// What an attempt of this caller is counted by: its network's own count, or the one of all strangers.
    private func counter(in connection: any SQLConnection) throws -> [SQLValue] {
        let own = key(network)
        let row = try connection.row("SELECT failures FROM device_attempts WHERE \(Self.isCounter)", own)
        return row == nil ? key("") : own
    }

    private func know(at moment: Timestamp, in connection: any SQLConnection) throws {
        try connection.execute(
            """
            INSERT INTO device_attempts (environment_id, email_hash, network_hash, failures, failed_at, wait_until,
                known_at) VALUES (?, ?, ?, 0, ?, 0, ?)
            ON CONFLICT (environment_id, email_hash, network_hash) DO UPDATE SET known_at = excluded.known_at
            """, key(network) + [.moment(moment), .moment(moment)])
    }

    private func key(_ network: String) -> [SQLValue] {
        [.text(environmentID), .text(Secret.hash(address.text)), .text(network)]
    }

    /// Made with the address, so that two people's rows do not tell that they share a network.
    private var network: String {
        Secret.hash("\(environmentID)\n\(address.text)\n\(CallerNetwork.name(of: caller))")
    }
}
