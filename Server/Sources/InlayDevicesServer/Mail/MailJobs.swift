import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// Sends the mails that are due. Without a mail server they wait, and are given up when they are of no use any more.
struct MailJobs: JobHandler {
    static let kind: JobKind = "devices.mail"
    /// The number of mails that are sent at the same time: one slow server holds up no other mail.
    private static let together = 8

    let mails: MailStore
    let client: SMTPClient?
    let logger: Logger

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            maximumRunning: client == nil ? 0 : Self.together, batchSize: Self.together, lease: .seconds(120),
            retry: JobRetry { MailStore.wait(after: $0) })
    }

    func run(_ batch: JobBatch) async throws {
        guard let client else { throw CancellationError() }
        let due = try await mails.due(batch.jobs)
        await withDiscardingTaskGroup { group in
            for job in batch.jobs {
                guard let mail = due[job.id] else {
                    await batch.finish(job, .giveUp("The mail or its application is gone."))
                    continue
                }
                group.addTask { await batch.finish(job, await send(mail, with: client)) }
            }
        }
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try MailStore.record(result, of: job, at: mails.now(), in: connection)
    }

    // The text of such a mail is removed: mostly it was a code that is valid for minutes. The page of mails shows why.
    func keepsGivenUp(_ job: Job) -> Bool { false }

    private func send(_ mail: MailStore.Due, with client: SMTPClient) async -> JobOutcome {
        do {
            try await client.send(
                MIMEMessage(
                    mail.message, id: mail.id, to: mail.recipient, from: client.settings.sender,
                    name: mail.applicationName))
            return .done
        } catch {
            // The server stops, and the mail is sent when it is back.
            if Task.isCancelled { return .release(at: mails.now()) }
            // Without the recipient, which mail servers repeat: readers of a log need not know who has an account.
            let fault = error as? SMTPFault
            let words = fault?.words(hiding: mail.recipient) ?? "\(type(of: error))"
            logger.warning("A mail was not sent", metadata: ["mail": "\(mail.id)", "fault": "\(words)"])
            return fault?.isFinal == true ? .giveUp(words) : .retry(words)
        }
    }
}
