import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of mails to end users and their states. Without a mail server the texts are shown too, but to admins only:
/// a code opens the account.
struct MailPages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature

    private struct Row {
        let rowPath: String?
        let recipient: String
        let subject: String
        let stateName: String
        let stateStyle: String
        let fault: String?
        let made: Moment
    }

    private struct Model {
        let rows: [Row]
        let hasRows: Bool
        let hasServer: Bool
        let serverText: String
    }

    private struct OneModel {
        let title: String
        let listPath: String
        let recipient: String
        let heading: String
        let code: String?
        let paragraphs: [String]
        let made: Moment
    }

    static func routes(_ services: ServerServices, _ devices: DevicesFeature) -> [WorkbenchRoute] {
        let pages = MailPages(services: services, devices: devices)
        let root = "e/:environment/devices/mails"
        return [
            .page(root) { try await pages.list($0) },
            .page("\(root)/:mail", for: .admin) { try await pages.show($0) },
        ]
    }

    private func list(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let settings = services.configuration.mail
        let mails = try await devices.mails.mails(try request.environmentID)
        let rows = mails.map { mail -> Row in
            let (name, style) = Self.state(mail, hasServer: settings != nil)
            let isReadable = settings == nil && request.may(.admin) && mail.message != nil
            return Row(
                rowPath: isReadable ? request.address("devices", "mails", mail.id) : nil,
                recipient: mail.recipient, subject: mail.subject, stateName: name, stateStyle: style,
                fault: mail.state == .sent ? nil : mail.fault, made: request.moment(mail.createdAt))
        }
        let model = Model(
            rows: rows, hasRows: !rows.isEmpty, hasServer: settings != nil,
            serverText: settings.map { "Sent by \($0.host), from \($0.sender)." } ?? "")
        return .page("Mails", "devices/mails", model)
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        guard services.configuration.mail == nil else { throw Problem.notFound("mail") }
        let mail = try await request.found("mail") { try await devices.mails.mail($0, $1) }
        guard let message = mail.message else { throw Problem.notFound("mail") }
        try services.audit.record("read mail", mail.id, by: request)
        let model = OneModel(
            title: mail.subject, listPath: request.address("devices", "mails"), recipient: mail.recipient,
            heading: message.heading, code: message.code, paragraphs: message.paragraphs,
            made: request.moment(mail.createdAt))
        return .page(mail.subject, "devices/mail", model)
    }

    private static func state(_ mail: MailStore.Mail, hasServer: Bool) -> (String, String) {
        switch mail.state {
        case .sent: ("Sent", "good")
        case .failed: (mail.tries > 0 ? "Given up" : "Not sent", "danger")
        case .waiting:
            hasServer ? (mail.tries > 0 ? "Will be retried" : "Sending", "warn") : ("Stored here", "plain")
        case .void: ("", "plain")
        }
    }
}
