import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// An account of an app's end user, as operators see it: without its password.
package struct EndAccount: Hashable, Sendable, Identifiable {
    package let id: AccountID
    package let environmentID: EnvironmentID
    /// The address, in lower case.
    package let email: String
    /// The application in which the account was created.
    package let applicationID: ApplicationID
    package let createdAt: Timestamp
    /// The time at which the address was proven by a code from a mail; `nil` until then.
    package let provenAt: Timestamp?
    /// The time of the last log-in.
    package let usedAt: Timestamp?
    /// Whether the account has a password; without one, its user logs in with codes by mail.
    package let hasPassword: Bool

    /// The account as apps see it.
    package var wire: DeviceAccount { DeviceAccount(id: id.rawValue, email: email, proven: provenAt != nil) }
}

extension EndAccount {
    init(row: SQLRow) throws {
        self.init(
            id: try row.id("id"), environmentID: try row.id("environment_id"),
            email: try row.text("email"), applicationID: try row.id("application_id"),
            createdAt: try row.moment("created_at"), provenAt: try row.optionalMoment("proven_at"),
            usedAt: try row.optionalMoment("used_at"),
            hasPassword: try row.optionalText("password_hash") != nil)
    }
}
