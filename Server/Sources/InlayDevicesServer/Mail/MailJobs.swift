import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The handler of the jobs that send mails. Without a mail server the jobs wait, and are given up at the end of the
/// mail's life.
struct MailJobs: JobHandler {
    static let kind: JobKind = "devices.mail"
    /// The maximum number of mails that are sent at the same time, so that one slow delivery delays no other mail.
    private static let maximumConcurrent = 8

    let mails: MailStore
    let client: SMTPClient?
    let logger: Logger

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            maximumRunning: client == nil ? 0 : Self.maximumConcurrent, batchSize: Self.maximumConcurrent,
            lease: .seconds(120), retry: JobRetry { MailStore.wait(after: $0) })
    }

    func run(_ batch: JobBatch) async throws {
        guard let client else { throw CancellationError() }
        let waiting = try await mails.waitingMails(of: batch.jobs)
        await withDiscardingTaskGroup { group in
            for job in batch.jobs {
                guard let mail = waiting[job.id] else {
                    await batch.finish(job, .giveUp("The mail or its application is gone."))
                    continue
                }
                group.addTask {
                    if let outcome = await send(mail, with: client) { await batch.finish(job, outcome) }
                }
            }
        }
        try Task.checkCancellation()
    }

    func record(_ result: JobResult, of job: Job, in connection: any SQLConnection) throws {
        try MailStore.record(result, of: job, at: mails.now(), in: connection)
    }

    // A mail that was given up has lost its text, mostly a code that was valid for minutes. The page of mails shows
    // why.
    func keepsGivenUp(_ job: Job) -> Bool { false }

    /// Sends a mail. Returns `nil` after a cancellation: only the runner knows whether the run took too long or the
    /// server stops, and a stop does not count as an attempt.
    private func send(_ mail: MailStore.WaitingMail, with client: SMTPClient) async -> JobOutcome? {
        do {
            try await client.send(
                MIMEMessage(
                    mail.message, id: mail.id, to: mail.recipient, from: client.settings.sender,
                    name: mail.applicationName))
            return .done
        } catch {
            if Task.isCancelled { return nil }
            // Mail servers repeat the recipient. It is removed, so that the log does not show who has an account.
            let fault = error as? SMTPFault
            let text = fault?.text(hiding: mail.recipient) ?? "\(type(of: error))"
            logger.warning("A mail was not sent", metadata: ["mail": "\(mail.id)", "fault": "\(text)"])
            return fault?.isFinal == true ? .giveUp(text) : .retry(text)
        }
    }
}
