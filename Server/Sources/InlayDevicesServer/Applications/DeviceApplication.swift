package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// An app as the accounts of its end users know it: it names itself with an id and one of two live secrets.
///
/// The secret says which app calls, never who; it can be read out of an app.
package struct DeviceApplication: Hashable, Sendable, Identifiable {
    /// Live secrets an application may have: one in the app that is out, one in the next.
    package static let maximumSecrets = 2

    package static func newID() -> ApplicationID { ApplicationID(Secret.id("app_")) }

    /// Sent in `Inlay-Application`; not secret.
    package let id: ApplicationID
    /// The environment of its accounts and devices.
    package let environmentID: EnvironmentID
    /// As people call it; stands in mails and on recovery pages.
    package var name: String
    /// Whether a new address gets its session at once, before it is proven. Default false: `true` reveals whether
    /// an address is known.
    package var opensAtOnce: Bool
    /// Whether an account may pair in its first 24 hours before its address is proven. Default false.
    package var pairsUnproven: Bool
    /// The fewest code points of a password. Default 15: it is the only factor.
    package var minimumPasswordLength: Int
    /// Whether it has a logo for the recovery pages.
    package let hasLogo: Bool
    package let createdAt: Timestamp
    /// The time of its revocation; `nil` while it works.
    package let revokedAt: Timestamp?
}

/// One of an application's secrets. The secret itself is shown once and never kept.
package struct ApplicationSecret: Hashable, Sendable, Identifiable {
    /// The part of the secret that names it; not secret.
    package let id: String
    package let createdAt: Timestamp
    /// The time of its revocation; `nil` while it works.
    package let revokedAt: Timestamp?
}

/// An application with what its secrets are compared with.
struct ApplicationCredentials: Hashable, Sendable {
    let application: DeviceApplication
    let liveHashes: [String]
}
