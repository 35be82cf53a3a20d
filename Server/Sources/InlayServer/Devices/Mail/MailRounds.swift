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

    /// One look: everything that is due goes out, one after the other.
    func round(_ client: SMTPClient) async {
        do {
            for mail in try await mails.take() { try await send(mail, with: client) }
        } catch {
            logger.warning("Mails could not be read; tried again", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ mail: MailStore.Due, with client: SMTPClient) async throws {
        do {
            try await client.send(
                MIMEMessage(
                    mail.message, id: mail.id, to: mail.recipient, from: client.settings.sender,
                    name: mail.applicationName))
            try await mails.sent(mail)
        } catch let fault as SMTPFault {
            // Never the recipient: a log is read by people who need not know who has an account.
            logger.warning(
                "A mail was not sent", metadata: ["mail": "\(mail.id)", "fault": "\(fault.words)"])
            try await mails.failed(mail, fault.words, isFinal: fault.isFinal)
        }
    }
}
