/// A piece of hardware that is paired with an account.
public struct Device: Codable, Hashable, Sendable {
    /// The relation of a device to its owner.
    public struct State: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        /// A state by its name on the wire. The set grows; unknown states are kept as they are.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The device is paired and may use its credential.
        public static let active = Self(rawValue: "active")
        /// The device is paired, but waits until the account's address is proven.
        public static let held = Self(rawValue: "held")
        /// The device is active and was offered to another account, which has not accepted it yet.
        public static let transferring = Self(rawValue: "transferring")
        /// The device was removed; its credential is invalid.
        public static let removed = Self(rawValue: "removed")
    }

    /// The id of the device.
    public var id: String
    /// The name that the owner gave it.
    public var name: String
    /// The model, as the device reports it.
    public var model: String
    /// The serial number, as the device reports it.
    public var serial: String
    /// The firmware version, as the device reports it.
    public var firmware: String?
    /// The relation of the device to its owner.
    public var state: State
    /// The time at which the device was paired with its owner.
    public var pairedAt: Timestamp
    /// The time of the device's last request to the server; `nil` before the first.
    public var lastSeenAt: Timestamp?
    /// The mail address to which the owner offers the device; `nil` while it is offered to nobody.
    public var offeredTo: String?

    /// Creates a device.
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

    /// Creates a list.
    public init(devices: [Device]) { self.devices = LossyArray(devices) }
}

/// The owner's changes to a device.
@_spi(Inlay) public struct DeviceChange: Codable, Hashable, Sendable {
    /// The name of the device; 1 to 100 characters.
    public var name: String

    /// Creates a change.
    public init(name: String) { self.name = name }
}

/// An offer of a device to another account. The device stays its owner's and works until that account sets it up; then
/// its old credential and its owner's pairing tokens are invalid.
@_spi(Inlay) public struct DeviceTransfer: Codable, Hashable, Sendable {
    /// The mail address of the other account.
    public var email: String

    /// Creates an offer.
    public init(email: String) { self.email = email }
}
