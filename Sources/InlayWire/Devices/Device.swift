/// A thing that belongs to an account.
public struct Device: Codable, Hashable, Sendable {
    /// The relation of a device to its owner.
    public struct State: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        /// A state by its name on the wire. The set grows; unknown ones are kept as they are.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Paired, and may use its credential.
        public static let active = Self(rawValue: "active")
        /// Paired, but waits until the account's address is proven.
        public static let held = Self(rawValue: "held")
        /// Active, and offered to another account, which has not taken it yet.
        public static let transferring = Self(rawValue: "transferring")
        /// Removed; its credential is dead.
        public static let removed = Self(rawValue: "removed")
    }

    /// Names the device.
    public var id: String
    /// The name that the owner gave it.
    public var name: String
    /// Its kind, as it says itself.
    public var model: String
    /// Its serial number, as it says itself.
    public var serial: String
    /// Its firmware, as it says itself.
    public var firmware: String?
    /// The relation to its owner.
    public var state: State
    /// The time at which the device became its owner's.
    public var pairedAt: Timestamp
    /// The time of the device's last request to the server; `nil` before the first.
    public var lastSeenAt: Timestamp?
    /// The mail address that its owner offers it to; `nil` while it is offered to nobody.
    public var offeredTo: String?

    /// A device.
    public init(
        id: String, name: String, model: String, serial: String, firmware: String? = nil,
        state: State = .active, pairedAt: Timestamp, lastSeenAt: Timestamp? = nil,
        offeredTo: String? = nil
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.serial = serial
        self.firmware = firmware
        self.state = state
        self.pairedAt = pairedAt
        self.lastSeenAt = lastSeenAt
        self.offeredTo = offeredTo
    }
}

/// The devices of an account, newest first.
@_spi(Inlay) public struct DeviceList: Codable, Hashable, Sendable {
    /// The devices; one that cannot be read is left out.
    public var devices: LossyArray<Device>

    /// A list.
    public init(devices: [Device]) { self.devices = LossyArray(devices) }
}

/// The owner's changes to a device.
@_spi(Inlay) public struct DeviceChange: Codable, Hashable, Sendable {
    /// The name of the device; 1 to 100 characters.
    public var name: String

    /// A change.
    public init(name: String) { self.name = name }
}

/// Offers a device to another account. It stays its owner's, and works, until that account sets it up; then
/// its old credential and its owner's pairing tokens are dead.
@_spi(Inlay) public struct DeviceTransfer: Codable, Hashable, Sendable {
    /// The mail address of the other account.
    public var email: String

    /// An offer.
    public init(email: String) { self.email = email }
}
