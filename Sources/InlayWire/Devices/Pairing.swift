/// Asks for a pairing token.
@_spi(Inlay) public struct PairingRequest: Codable, Hashable, Sendable {
    /// The name for the device; at most 100 characters.
    public var name: String?

    /// A request; without a name the device brings its own.
    public init(name: String? = nil) { self.name = name }
}

/// A chance for one device to become one user's, once, for ten minutes.
@_spi(Inlay) public struct Pairing: Codable, Hashable, Sendable {
    /// Bytes of a token.
    public static let tokenBytes = 16
    /// Bytes of a host that fits the light beside every network's name and password. A longer one fits some.
    public static let maximumHostLength = 67

    /// Names the pairing in questions about it; worth nothing to a device.
    public var id: String
    /// The 16 bytes that travel to the device, in base64url without padding. Secret until they are used.
    public var token: String
    /// The expiry time of the token, by the server's clock.
    public var expiresAt: Timestamp
    /// The server's address for the device, `host` or `host:port`; sent with the token.
    public var host: String

    /// A pairing.
    public init(id: String, token: String, expiresAt: Timestamp, host: String) {
        self.id = id
        self.token = token
        self.expiresAt = expiresAt
        self.host = host
    }
}

/// The state of a pairing.
@_spi(Inlay) public enum PairingState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The token was made; nobody showed it yet.
    case issued
    /// A device has it and is on its way.
    case seen
    /// The device is the user's.
    case paired
    /// It failed; `PairingStatus.reason` says why.
    case rejected
    /// The token's time ran out.
    case expired
    /// The same user asked for a newer one.
    case superseded

    /// Whether nothing can change any more.
    public var isFinal: Bool { self != .issued && self != .seen }
}

/// The answer to a question about a pairing.
@_spi(Inlay) public struct PairingStatus: Codable, Hashable, Sendable {
    /// The state of the pairing.
    public var state: PairingState
    /// The reason why it was rejected, or the last thing the device reported on its way.
    public var reason: DeviceSetupFailure?
    /// The device; from `paired` on.
    public var device: Device?
    /// `true` when the device came and waits until the account's address is proven.
    public var held: Bool?

    /// A status.
    public init(
        state: PairingState, reason: DeviceSetupFailure? = nil, device: Device? = nil, held: Bool? = nil
    ) {
        self.state = state
        self.reason = reason
        self.device = device
        self.held = held
    }
}

/// The app gives a pairing up: nobody waits for its device any more.
@_spi(Inlay) public struct PairingCancel: Codable, Hashable, Sendable {
    /// The failure that the app, or the person in front of it, observed.
    public var reason: DeviceSetupFailure

    /// An end with its reason.
    public init(reason: DeviceSetupFailure) { self.reason = reason }
}
