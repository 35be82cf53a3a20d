import Foundation
import InlaySQL
import InlayWire

/// Mails on their way: written with what causes them, in one transaction, and sent until they arrive.
///
/// With no mail server set they stay here, and the Workbench shows them.
package struct MailStore: Sendable {
    /// How far a mail is.
    package enum State: String, Sendable {
        case waiting, sent, failed
        /// Never sent; see ``MailMessage/Kind/nothing``.
        case void
    }

    /// A mail as operators see it.
    package struct Mail: Hashable, Sendable, Identifiable {
        package let id: String
        package let environmentID: String
        package let recipient: String
        package let subject: String
        package let state: State
        package let tries: Int
        package let createdAt: Timestamp
        package let sentAt: Timestamp?
        /// What the mail server said last.
        package let fault: String?
        /// What it says; `nil` once it was sent or given up, because it may hold a code.
        let message: MailMessage?
        /// The code in it, while it is here.
        package var code: String? { message?.code }
    }

    /// A mail that is due, taken by one node.
    struct Due: Sendable {
        let environmentID: String
        let id: String
        let applicationName: String
        let recipient: String
        let message: MailMessage
        let tries: Int
        let uselessAt: Timestamp
    }

    /// How long a node may take to send one; then another may try.
    static let lease: Duration = .seconds(120)
    /// Sent and failed mails are shown for so long.
    static let kept: Duration = .seconds(7 * 24 * 3600)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Writes a mail within a transaction of the caller.
    static func add(
        _ message: MailMessage, to recipient: String, for application: DeviceApplication,
        at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        let state = message.kind == .nothing ? State.void : .waiting
        try connection.execute(
            """
            INSERT INTO device_mails (environment_id, id, application_id, recipient, kind, subject, body, state,
                tries, next_at, useless_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
            """,
            [
                .text(application.environmentID), .text("\(moment.microseconds)-\(Secret.id("", length: 8))"),
                .text(application.id), .text(recipient), .text(message.kind.rawValue), .text(message.subject),
                .text(try CardJSON.text(message)), .text(state.rawValue), .moment(moment),
                .moment(moment + message.life), .moment(moment),
            ])
    }

    /// The newest mails first, at most 200.
    package func mails(_ environmentID: String, limit: Int = 100) async throws -> [Mail] {
        try await database.read {
            try $0.rows(
                """
                SELECT * FROM device_mails WHERE environment_id = ? AND state <> 'void' ORDER BY id DESC LIMIT ?
                """, [.text(environmentID), .int(min(max(limit, 1), 200))]
            ).map(Mail.init)
        }
    }

    /// One mail, or `nil`.
    package func mail(_ environmentID: String, _ id: String) async throws -> Mail? {
        try await database.read {
            try $0.row(
                "SELECT * FROM device_mails WHERE environment_id = ? AND id = ? AND state <> 'void'",
                [.text(environmentID), .text(id)]
            ).map(Mail.init)
        }
    }

    /// Takes mails that are due, so that no other node sends them for a while.
    func take(limit: Int = 20) async throws -> [Due] {
        let moment = now()
        return try await database.write { connection in
            let rows = try connection.rows(
                """
                WITH due AS MATERIALIZED (SELECT environment_id, id FROM device_mails
                    WHERE state = 'waiting' AND next_at <= ? ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED)
                SELECT m.environment_id, m.id, m.recipient, m.body, m.tries, m.next_at, m.useless_at, p.name
                FROM device_mails m JOIN device_applications p
                    ON p.environment_id = m.environment_id AND p.id = m.application_id
                WHERE (m.environment_id, m.id) IN (SELECT environment_id, id FROM due) ORDER BY m.next_at
                """, [.moment(moment), .int(limit)])
            return try rows.compactMap { row in
                let taken = try connection.execute(
                    """
                    UPDATE device_mails SET next_at = ?
                    WHERE environment_id = ? AND id = ? AND state = 'waiting' AND next_at = ?
                    """,
                    [
                        .moment(moment + Self.lease), .text(try row.text("environment_id")),
                        .text(try row.text("id")), .integer(try row.int64("next_at")),
                    ])
                return taken == 1 ? try Due(row: row) : nil
            }
        }
    }

    /// The mail server took it.
    func sent(_ mail: Due) async throws {
        guard !mail.message.isLast else { return try await erase(mail) }
        try await settle(mail, "state = 'sent', sent_at = ?, body = NULL, fault = NULL", [.moment(now())])
    }

    /// It could not be sent now; tried again after a wait that grows, or given up when that is of no use.
    func failed(_ mail: Due, _ fault: String, isFinal: Bool) async throws {
        let next = now() + Self.wait(after: mail.tries + 1)
        let fault = SQLValue.text(String(fault.prefix(300)))
        if isFinal || next >= mail.uselessAt {
            guard !mail.message.isLast else { return try await erase(mail) }
            try await settle(mail, "state = 'failed', body = NULL, fault = ?", [fault])
        } else {
            try await settle(mail, "next_at = ?, fault = ?", [.moment(next), fault])
        }
    }

    /// Mails without a server: none is due, and those of no use any more lose what they say.
    func removeEnded() async throws {
        let moment = now()
        _ = try await database.write {
            try $0.execute(
                "UPDATE device_mails SET state = 'failed', body = NULL WHERE state = 'waiting' AND useless_at <= ?",
                [.moment(moment)])
        }
        try await database.delete(
            from: "device_mails", key: "environment_id, id",
            where: "created_at <= ? OR state = 'void' OR (kind = ? AND state = 'failed')",
            [.moment(moment - Self.kept), .text(MailMessage.Kind.deleted.rawValue)])
    }

    static func wait(after tries: Int) -> Duration { .seconds(min(1800, 5 << min(tries - 1, 9))) }

    /// Removes what is kept for an address, also what is on its way.
    static func erase(_ environmentID: String, to recipient: String, in connection: any SQLConnection) throws
    {
        try connection.execute(
            "DELETE FROM device_mails WHERE environment_id = ? AND recipient = ?",
            [.text(environmentID), .text(recipient)])
    }

    private func erase(_ mail: Due) async throws {
        _ = try await database.write {
            try $0.execute(
                "DELETE FROM device_mails WHERE environment_id = ? AND id = ?",
                [.text(mail.environmentID), .text(mail.id)])
        }
    }

    private func settle(_ mail: Due, _ assignments: String, _ values: [SQLValue]) async throws {
        _ = try await database.write {
            try $0.execute(
                "UPDATE device_mails SET \(assignments), tries = tries + 1 WHERE environment_id = ? AND id = ?",
                values + [.text(mail.environmentID), .text(mail.id)])
        }
    }
}

extension MailStore.Mail {
    init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.text("environment_id"),
            recipient: try row.text("recipient"), subject: try row.text("subject"),
            state: MailStore.State(rawValue: try row.text("state")) ?? .failed, tries: try row.int("tries"),
            createdAt: try row.moment("created_at"), sentAt: try row.optionalMoment("sent_at"),
            fault: try row.optionalText("fault"),
            message: try row.optionalText("body").map { try CardJSON.value($0) })
    }
}

extension MailStore.Due {
    fileprivate init(row: SQLRow) throws {
        self.init(
            environmentID: try row.text("environment_id"), id: try row.text("id"),
            applicationName: try row.text("name"), recipient: try row.text("recipient"),
            message: try CardJSON.value(try row.text("body")), tries: try row.int("tries"),
            uselessAt: try row.moment("useless_at"))
    }
}
