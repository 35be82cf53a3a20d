/// A device's request to be paired with an account.
@_spi(Inlay) public struct DeviceClaim: Codable, Hashable, Sendable {
    /// The token that came over the light, in base64url without padding.
    public var pairingToken: String
    /// The device's serial number, unique for its model; at most 64 characters.
    public var serial: String
    /// The device's kind; at most 64 characters.
    public var model: String
    /// Its firmware; at most 64 characters.
    public var firmware: String?
    /// The reason why its last try came to nothing, when there was one.
    public var lastFailure: DeviceSetupFailure?
    /// The credential of its last owner, if it still has one: only with it the device leaves that owner.
    public var credential: String?

    /// A claim.
    public init(
        pairingToken: String, serial: String, model: String, firmware: String? = nil,
        lastFailure: DeviceSetupFailure? = nil, credential: String? = nil
    ) {
        self.pairingToken = pairingToken
        self.serial = serial
        self.model = model
        self.firmware = firmware
        self.lastFailure = lastFailure
        self.credential = credential
    }
}

/// The credential of a paired device. The pairing token is invalid from then on.
@_spi(Inlay) public struct DeviceCredential: Codable, Hashable, Sendable {
    /// Names the device.
    public var deviceID: String
    /// The device's own secret; sent once.
    public var credential: String

    /// A credential.
    public init(deviceID: String, credential: String) {
        self.deviceID = deviceID
        self.credential = credential
    }
}

/// A device read the light and tries the network now; only one that has a way to the server already can say so.
@_spi(Inlay) public struct DeviceSeen: Codable, Hashable, Sendable {
    /// The token that came over the light.
    public var pairingToken: String

    /// A sign of life.
    public init(pairingToken: String) { self.pairingToken = pairingToken }
}

/// A device gave up, and has another way to say so than the network it was given.
@_spi(Inlay) public struct DeviceFailureReport: Codable, Hashable, Sendable {
    /// The token that came over the light.
    public var pairingToken: String
    /// The reason.
    public var reason: DeviceSetupFailure

    /// A report.
    public init(pairingToken: String, reason: DeviceSetupFailure) {
        self.pairingToken = pairingToken
        self.reason = reason
    }
}
