import Foundation
@_spi(Inlay) import InlayWire

/// The settings of the mail server for mails to end users. Without a host mails stay in the Workbench.
public struct SMTPSettings: Hashable, Sendable {
    /// The encryption of the connection.
    public enum Security: String, Hashable, Sendable, CaseIterable {
        /// Plain at first, encrypted before any mail or password is sent; the usual one.
        case startTLS = "starttls"
        /// Encrypted from the first byte.
        case tls
        /// Never encrypted; only for a mail server on this machine.
        case none

        var usualPort: Int {
            switch self {
            case .startTLS: 587
            case .tls: 465
            case .none: 25
            }
        }
    }

    /// `smtpHost`: the mail server.
    public var host: String
    /// `smtpPort`: 587, 465 with `tls`, 25 with `none`.
    public var port: Int
    /// `smtpSecurity`: starttls, tls or none. Default starttls.
    public var security: Security
    /// `smtpUser`: the name to sign in with; none for a server that does not ask.
    public var user: String?
    /// `smtpPassword`: secret.
    public var password: SecretString?
    /// `mailFrom`: the address mails come from.
    public var sender: String

    /// Creates settings; throws ``ConfigurationError`` for ones that cannot work or would send secrets in the clear.
    public init(
        host: String, port: Int? = nil, security: Security = .startTLS, user: String? = nil,
        password: SecretString? = nil, sender: String
    ) throws {
        guard let address = MailAddress(sender), address.isASCII else {
            throw ConfigurationError(
                description:
                    "The setting mailFrom must be a mail address in ASCII, for example no-reply@example.com.")
        }
        let isNear = ["127.0.0.1", "::1", "localhost"].contains(host)
        guard security != .none || isNear else {
            throw ConfigurationError(
                description: "The setting smtpSecurity may be none only for a mail server on this machine.")
        }
        self.host = host
        self.port = port ?? security.usualPort
        self.security = security
        self.user = user
        self.password = password
        self.sender = address.text
    }
}
