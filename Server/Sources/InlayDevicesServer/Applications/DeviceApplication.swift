package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// An app with accounts of end users. It identifies itself with an id and one of up to two active secrets.
///
/// The secret identifies the app and never a user; it can be extracted from the app.
package struct DeviceApplication: Hashable, Sendable, Identifiable {
    /// The maximum number of active secrets: one for the released app, one for its next version.
    package static let maximumSecrets = 2

    package static func newID() -> ApplicationID { ApplicationID(Secret.id("app_")) }

    /// Sent in `Inlay-Application`; not secret.
    package let id: ApplicationID
    /// The environment of its accounts and devices.
    package let environmentID: EnvironmentID
    /// The name in mails and on recovery pages.
    package var name: String
    /// Whether a new address gets its session at once, before it is proven. Default false, because `true` reveals
    /// whether an address has an account.
    package var opensAtOnce: Bool
    /// Whether an account may pair in its first 24 hours before its address is proven. Default false.
    package var pairsUnproven: Bool
    /// The minimum number of code points of a password. Default 15, because it is the only factor.
    package var minimumPasswordLength: Int
    /// Whether the application has a logo for the recovery pages.
    package let hasLogo: Bool
    package let createdAt: Timestamp
    /// The time of the revocation; `nil` while the application is active.
    package let revokedAt: Timestamp?
}

/// One of an application's secrets. The secret itself is shown once and never stored.
package struct ApplicationSecret: Hashable, Sendable, Identifiable {
    /// The beginning of the secret, which identifies it and is not secret.
    package let id: String
    package let createdAt: Timestamp
    /// The time of the revocation; `nil` while the secret is active.
    package let revokedAt: Timestamp?
}

/// An application with the hashes of its active secrets.
struct ApplicationCredentials: Hashable, Sendable {
    let application: DeviceApplication
    let liveHashes: [String]
}
