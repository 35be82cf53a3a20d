import InlaySQL
import InlayWire

/// Wrong passwords in a row, by address, whether it has an account or not.
///
/// Five are free; then each costs a wait that doubles from 30 seconds to an hour; after a hundred only a code
/// by mail helps. An attempt is counted before its password is looked at, so that many at once do not slip
/// through, and a right one takes the count away.
struct LogInAttempts: Sendable {
    enum Verdict: Hashable, Sendable {
        case allowed
        case wait(Duration)
        case locked
    }

    static let free = 5
    static let most = 100

    let environmentID: String
    let address: MailAddress

    /// Counts an attempt, or says why it is none.
    func begin(at moment: Timestamp, in connection: any SQLConnection) throws -> Verdict {
        try connection.execute(
            """
            INSERT INTO device_attempts (environment_id, email_hash, failures, failed_at, wait_until)
            VALUES (?, ?, 0, ?, 0) ON CONFLICT (environment_id, email_hash) DO NOTHING
            """, key + [.moment(moment)])
        let row = try connection.row(
            "SELECT failures, wait_until FROM device_attempts WHERE environment_id = ? AND email_hash = ?",
            key)
        let failures = try row?.int("failures") ?? 0, until = try row?.moment("wait_until") ?? moment
        guard failures < Self.most else { return .locked }
        guard until <= moment else { return .wait(until - moment) }
        let taken = try connection.execute(
            """
            UPDATE device_attempts SET failures = ?, failed_at = ?, wait_until = ?
            WHERE environment_id = ? AND email_hash = ? AND failures = ?
            """,
            [.int(failures + 1), .moment(moment), .moment(moment + Self.wait(after: failures + 1))] + key
                + [.int(failures)])
        // Another node counted one in the same moment.
        return taken == 1 ? .allowed : .wait(.seconds(1))
    }

    /// The password was right, or a code by mail set another.
    func forget(in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM device_attempts WHERE environment_id = ? AND email_hash = ?", key)
    }

    static func wait(after failures: Int) -> Duration {
        guard failures >= free else { return .zero }
        return .seconds(min(3600, 30 << min(failures - free, 7)))
    }

    private var key: [SQLValue] { [.text(environmentID), .text(Secret.hash(address.text))] }
}
