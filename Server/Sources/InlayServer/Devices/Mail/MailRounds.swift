import InlayWire
import Logging

/// Sends the mails that are due, every second, while there is a mail server to send them to.
struct MailRounds: Sendable {
    private let mails: MailStore
    private let settings: SMTPSettings?
    private let logger: Logger

    init(_ mails: MailStore, _ services: ServerServices) {
        self.mails = mails
        settings = services.configuration.mail
        logger = services.logger
    }

    func run() async {
        guard let settings else { return }
        let client = SMTPClient(settings)
        for await _ in Ticks(every: .seconds(1)) { await round(client) }
    }

    /// Mails that are on their way at once: one slow answer holds up nobody's code, and all are done before their
    /// lease ends and another node sends them too.
    private static let together = 8

    /// One look: everything that is due goes out.
    func round(_ client: SMTPClient) async {
        do {
            var count = Self.together
            while count == Self.together, !Task.isCancelled {
                let due = try await mails.take(limit: Self.together)
                count = due.count
                await withDiscardingTaskGroup { group in
                    for mail in due { group.addTask { await send(mail, with: client) } }
                }
            }
        } catch {
            logger.warning("Mails could not be read; tried again", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ mail: MailStore.Due, with client: SMTPClient) async {
        do {
            try await deliver(mail, with: client)
        } catch {
            logger.warning(
                "A mail's end could not be kept; it is sent again", metadata: ["error": "\(error)"])
        }
    }

    private func deliver(_ mail: MailStore.Due, with client: SMTPClient) async throws {
        do {
            try await client.send(
                MIMEMessage(
                    mail.message, id: mail.id, to: mail.recipient, from: client.settings.sender,
                    name: mail.applicationName))
            try await mails.sent(mail)
        } catch let fault as SMTPFault {
            // Never the recipient, whom servers repeat: a log is read by people who need not know who has an account.
            logger.warning(
                "A mail was not sent",
                metadata: ["mail": "\(mail.id)", "fault": "\(fault.words(hiding: mail.recipient))"])
            try await mails.failed(mail, fault.words, isFinal: fault.isFinal)
        }
    }
}
