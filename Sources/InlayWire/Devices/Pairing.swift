/// The body of a request for a pairing token.
@_spi(Inlay) public struct PairingRequest: Codable, Hashable, Sendable {
    /// The name for the device; at most 100 characters.
    public var name: String?

    /// Creates a request; without a name, the device uses its own.
    public init(name: String? = nil) { self.name = name }
}

/// A one-time permission to pair one device with one user, valid for ten minutes.
@_spi(Inlay) public struct Pairing: Codable, Hashable, Sendable {
    /// The number of bytes of a token.
    public static let tokenBytes = 16
    /// The maximum number of bytes of a host that the light link can carry together with any network name and
    /// password. A longer host fits only beside a shorter name or password.
    public static let maximumHostLength = 67

    /// The id of the pairing, for status requests. A device cannot use it to pair.
    public var id: String
    /// The 16 bytes that the app transfers to the device, in base64url without padding. Secret until used.
    public var token: String
    /// The expiry time of the token, by the server's clock.
    public var expiresAt: Timestamp
    /// The server's address for the device, `host` or `host:port`; sent with the token.
    public var host: String

    /// Creates a pairing.
    public init(id: String, token: String, expiresAt: Timestamp, host: String) {
        self.id = id
        self.token = token
        self.expiresAt = expiresAt
        self.host = host
    }
}

/// The state of a pairing.
@_spi(Inlay) public enum PairingState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The token was created; no device has reported it yet.
    case issued
    /// A device has received the token, but the pairing is not complete.
    case seen
    /// The device belongs to the user.
    case paired
    /// The pairing failed; `PairingStatus.reason` has the reason.
    case rejected
    /// The token has expired.
    case expired
    /// The same user has requested a newer pairing.
    case superseded

    /// Whether nothing can change any more.
    public var isFinal: Bool { self != .issued && self != .seen }
}

/// The response to a status request for a pairing.
@_spi(Inlay) public struct PairingStatus: Codable, Hashable, Sendable {
    /// The state of the pairing.
    public var state: PairingState
    /// The reason for the rejection, or the last failure that the device reported before it was paired.
    public var reason: DeviceSetupFailure?
    /// The device; `nil` until it is paired or held.
    public var device: Device?
    /// Whether the device is claimed, but waits until the account's address is proven; `nil` means no.
    public var held: Bool?

    /// Creates a status.
    public init(
        state: PairingState, reason: DeviceSetupFailure? = nil, device: Device? = nil, held: Bool? = nil
    ) {
        self.state = state
        self.reason = reason
        self.device = device
        self.held = held
    }
}

/// The body of a request to cancel a pairing, because the app no longer waits for the device.
@_spi(Inlay) public struct PairingCancel: Codable, Hashable, Sendable {
    /// The failure that the app, or the person in front of it, observed.
    public var reason: DeviceSetupFailure

    /// Creates a cancellation.
    public init(reason: DeviceSetupFailure) { self.reason = reason }
}
