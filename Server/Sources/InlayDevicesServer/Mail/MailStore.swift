import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The store of mails to end users: each is written in the transaction of its cause, and sent by a job.
///
/// Without a mail server mails are only stored, and the Workbench shows them.
package struct MailStore: Sendable {
    /// The state of a mail's delivery.
    package enum State: String, Sendable {
        case waiting, sent, failed
        /// Never sent; see ``MailMessage/Kind/nothing``.
        case void
    }

    /// A mail as operators see it.
    package struct Mail: Hashable, Sendable, Identifiable {
        package let id: String
        package let environmentID: EnvironmentID
        package let recipient: String
        package let subject: String
        package let state: State
        package let tries: Int
        package let createdAt: Timestamp
        package let sentAt: Timestamp?
        /// The error of the last attempt, for example the mail server's reply.
        package let fault: String?
        /// The content; `nil` once it was sent or given up, because it may hold a code.
        let message: MailMessage?
        /// The code in the mail, while there is a ``message``.
        package var code: String? { message?.code }
    }

    /// A mail that is to be sent now.
    struct WaitingMail: Sendable {
        let id: String
        let applicationName: String
        let recipient: String
        let message: MailMessage
    }

    /// The time for which mails are kept.
    static let retention: Duration = .seconds(7 * 24 * 3600)

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Writes a mail within a transaction of the caller.
    static func add(
        _ message: MailMessage, to recipient: String, for application: DeviceApplication,
        at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        let state = message.kind == .nothing ? State.void : .waiting
        let id = "\(moment.microseconds)-\(Secret.id("", length: 8))"
        try connection.insert(
            into: "device_mails",
            [
                "environment_id": .id(application.environmentID), "id": .text(id),
                "application_id": .id(application.id), "recipient": .text(recipient),
                "kind": .text(message.kind.rawValue), "subject": .text(message.subject),
                "body": .text(try JSONColumn.text(message)), "state": .text(state.rawValue), "tries": 0,
                "created_at": .moment(moment),
            ])
        guard state == .waiting else { return }
        try JobQueue.enqueue(
            NewJob(
                MailJobs.kind, key: id, in: application.environmentID, at: moment,
                // The last moment at which the mail is of use.
                expiresAt: moment + message.life - .microseconds(1)), in: connection)
    }

    /// Returns the mails of an environment, the newest first, at most 200.
    package func mails(_ environmentID: EnvironmentID, limit: Int = 100) async throws -> [Mail] {
        try await database.read {
            try $0.rows(
                """
                SELECT * FROM device_mails WHERE environment_id = ? AND state <> 'void' ORDER BY id DESC LIMIT ?
                """, [.id(environmentID), .int(min(max(limit, 1), 200))]
            ).map(Mail.init)
        }
    }

    /// Returns a mail, or `nil`.
    package func mail(_ environmentID: EnvironmentID, _ id: String) async throws -> Mail? {
        try await database.read {
            try $0.row(
                "SELECT * FROM device_mails WHERE environment_id = ? AND id = ? AND state <> 'void'",
                [.id(environmentID), .text(id)]
            ).map(Mail.init)
        }
    }

    /// Returns the waiting mails of jobs by the jobs' ids.
    func waitingMails(of jobs: [Job]) async throws -> [Job.ID: WaitingMail] {
        guard !jobs.isEmpty else { return [:] }
        let rows = SQLRows.padded(jobs.map { [.text($0.key), .id($0.environmentID)] })
        let found = try await database.read {
            try $0.rows(
                """
                WITH \(SQLRows.table("w", ["id", "environment_id"], rows.count))
                SELECT m.environment_id, m.id, m.recipient, m.body, p.name
                FROM w JOIN device_mails m ON m.environment_id = w.environment_id AND m.id = w.id
                JOIN device_applications p ON p.environment_id = m.environment_id AND p.id = m.application_id
                WHERE m.state = 'waiting'
                """, rows.values)
        }
        return Dictionary(
            try found.map { row in
                let id = Job.ID(
                    environmentID: try row.id("environment_id"), kind: MailJobs.kind,
                    key: try row.text("id"))
                return (id, try WaitingMail(row: row))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Writes the result of a mail's job into its record. A mail that was sent or given up loses its content.
    static func record(
        _ result: JobResult, of job: Job, at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        let key: [SQLValue] = [.id(job.environmentID), .text(job.key)]
        func change(_ assignments: String, _ values: [SQLValue]) throws {
            try connection.execute(
                "UPDATE device_mails SET \(assignments) WHERE environment_id = ? AND id = ?", values + key)
        }
        switch result {
        case .done:
            try eraseLast(key, in: connection)
            try change(
                "state = 'sent', sent_at = ?, body = NULL, fault = NULL, tries = tries + 1", [.moment(moment)]
            )
        case .failed(let fault?):
            try eraseLast(key, in: connection)
            try change("state = 'failed', body = NULL, fault = ?, tries = tries + 1", [.text(fault)])
        case .failed(nil):
            try eraseLast(key, in: connection)
            try change("state = 'failed', body = NULL", [])
        case .retry(_, let fault): try change("fault = ?, tries = tries + 1", [.text(fault)])
        case .again, .released: break
        }
    }

    /// Removes a mail after which nothing may be kept of its recipient; see ``MailMessage/isLast``.
    private static func eraseLast(_ key: [SQLValue], in connection: any SQLConnection) throws {
        try connection.execute(
            "DELETE FROM device_mails WHERE environment_id = ? AND id = ? AND kind = ?",
            key + [.text(MailMessage.Kind.deleted.rawValue)])
    }

    /// Removes mails that are older than ``retention``, and those that are never sent.
    func purgeExpired() async throws {
        try await database.delete(
            from: "device_mails", key: "environment_id, id", where: "created_at <= ? OR state = 'void'",
            [.moment(now() - Self.retention)])
    }

    static func wait(after tries: Int) -> Duration { .seconds(min(1800, 5 << min(tries - 1, 9))) }

    /// Removes all mails to an address, also those that wait.
    static func erase(_ environmentID: EnvironmentID, to recipient: String, in connection: any SQLConnection)
        throws
    {
        try connection.execute(
            "DELETE FROM device_mails WHERE environment_id = ? AND recipient = ?",
            [.id(environmentID), .text(recipient)])
    }
}

extension MailStore.Mail {
    init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.id("environment_id"),
            recipient: try row.text("recipient"), subject: try row.text("subject"),
            state: MailStore.State(rawValue: try row.text("state")) ?? .failed, tries: try row.int("tries"),
            createdAt: try row.moment("created_at"), sentAt: try row.optionalMoment("sent_at"),
            fault: try row.optionalText("fault"),
            message: try row.optionalText("body").map { try JSONColumn.value($0) })
    }
}

extension MailStore.WaitingMail {
    fileprivate init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), applicationName: try row.text("name"),
            recipient: try row.text("recipient"), message: try JSONColumn.value(try row.text("body")))
    }
}
