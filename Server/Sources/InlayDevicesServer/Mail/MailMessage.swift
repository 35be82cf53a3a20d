import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The content of a mail to an end user, without its layout.
struct MailMessage: Codable, Hashable, Sendable {
    /// The occasion of a mail.
    enum Kind: String, Codable, Sendable {
        case welcome, known, reset, changed, username
        case offered = "handedOver"
        case taken, deletion, deleted
        /// Never sent. Stored where no mail is due, so that the work is the same as with a mail.
        case nothing
    }

    let kind: Kind
    let subject: String
    let heading: String
    let paragraphs: [String]
    /// The code, which is shown large and on a line of its own.
    var code: String?
    /// The time after which the mail is not sent any more. Not stored with the mail: zero for one that was read.
    let life: Duration

    private enum CodingKeys: String, CodingKey { case kind, subject, heading, paragraphs, code }

    private init(
        _ kind: Kind, _ subject: String, heading: String, _ paragraphs: [String], code: String? = nil,
        life: Duration = .seconds(24 * 3600)
    ) {
        self.kind = kind
        self.subject = subject
        self.heading = heading
        self.paragraphs = paragraphs
        self.code = code.map(MailCode.shown)
        self.life = life
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(Kind.self, forKey: .kind)
        subject = try values.decode(String.self, forKey: .subject)
        heading = try values.decode(String.self, forKey: .heading)
        paragraphs = try values.decode([String].self, forKey: .paragraphs)
        code = try values.decodeIfPresent(String.self, forKey: .code)
        life = .zero
    }

    private static let notYou =
        "If this was not you, ignore this mail: without the code nobody can use your address."

    /// The mail to a new address.
    static func welcome(_ app: String, code: String) -> MailMessage {
        MailMessage(
            .welcome, "Your code for \(app)", heading: "Welcome to \(app)",
            [
                "Type this code in the app to prove that this address is yours. It is valid for ten minutes.",
                notYou,
            ],
            code: code, life: MailCode.life)
    }

    /// The mail to an address that has an account already.
    static func known(_ app: String, code: String) -> MailMessage {
        MailMessage(
            .known, "Your code for \(app)", heading: "You have an account already",
            [
                """
                Somebody asked for an account of \(app) with this address, which has one. If it was you, log in \
                with your password, or type this code in the app. It is valid for ten minutes.
                """, notYou,
            ], code: code, life: MailCode.life)
    }

    /// The mail to a user who forgot the password.
    static func reset(_ app: String, code: String) -> MailMessage {
        MailMessage(
            .reset, "A new password for \(app)", heading: "Choose a new password",
            [
                "Type this code where you requested it, with your new password. It is valid for ten minutes.",
                notYou,
            ],
            code: code, life: MailCode.life)
    }

    /// The mail after the password was changed.
    static func changed(_ app: String) -> MailMessage {
        MailMessage(
            .changed, "Your password for \(app) was changed", heading: "Your password was changed",
            [
                "Every other phone that used this account was logged out.",
                "If this was not you, choose a new password with “Forgot password” in the app now.",
            ])
    }

    /// The mail to a user who forgot which address they used.
    static func username(_ app: String) -> MailMessage {
        MailMessage(
            .username, "Your account at \(app)", heading: "This is the address",
            [
                "Your account of \(app) has this address. Log in with it.",
                "If you did not request it, ignore this mail.",
            ])
    }

    /// The mail to the address that a device is offered to. Without the device's name, with which its owner could send
    /// any text to strangers.
    static func offered(_ app: String) -> MailMessage {
        MailMessage(
            .offered, "A device for you in \(app)", heading: "You were offered a device",
            [
                "Set it up in the app with this address to make it yours. Until then it belongs to its owner.",
                "If you do not know about a device, ignore this mail.",
            ])
    }

    /// The mail to the former owner of a device.
    static func taken(_ app: String, device: String) -> MailMessage {
        MailMessage(
            .taken, "Your device in \(app) has a new owner", heading: "“\(device)” has a new owner",
            ["The address that you offered it to has set it up. It is not in your account any more."])
    }

    /// The mail to a user who wants to delete the account.
    static func deletion(_ app: String, code: String) -> MailMessage {
        MailMessage(
            .deletion, "Delete your account of \(app)", heading: "Delete your account",
            [
                "Type this code in the app to delete your account and all that belongs to it. It is valid for ten minutes.",
                "If this was not you, choose a new password with “Forgot password” in the app now.",
            ],
            code: code, life: MailCode.life)
    }

    /// The mail after the account was deleted, the last one to this address.
    static func deleted(_ app: String) -> MailMessage {
        MailMessage(
            .deleted, "Your account of \(app) was deleted", heading: "Your account was deleted",
            ["Its devices were released and must be set up again. Nothing of this address is kept."])
    }

    /// Whether the mail must not be kept once it is sent or given up, because it says that nothing of the address is
    /// kept.
    var isLast: Bool { kind == .deleted }

    /// The placeholder where no mail is due.
    static let nothing = MailMessage(.nothing, "", heading: "", [])

    /// The mail as plain text.
    var text: String {
        ([heading] + (code.map { [$0] } ?? []) + paragraphs).joined(separator: "\n\n") + "\n"
    }

    /// The mail as HTML. Every text in it is escaped, because operators and users choose the names in it.
    var html: String {
        let code = code.map {
            """
            <p style="font:600 28px/1.3 ui-monospace,monospace;letter-spacing:2px">\(HTMLText.escaped($0))</p>
            """
        }
        let words = paragraphs.map { "<p>\(HTMLText.escaped($0))</p>" }
        let body =
            (["<h1 style=\"font-size:20px\">\(HTMLText.escaped(heading))</h1>"] + (code.map { [$0] } ?? [])
                + words)
        return """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(HTMLText.escaped(subject))</title></head>
            <body style="font:16px/1.5 system-ui,sans-serif;color:#1b1d1f;background:#fbfaf7;padding:24px">
            \(body.joined(separator: "\n"))
            </body></html>

            """
    }
}
