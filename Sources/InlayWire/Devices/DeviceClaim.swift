/// A device's request to be paired with an account.
@_spi(Inlay) public struct DeviceClaim: Codable, Hashable, Sendable {
    /// The token that the device received over the light link, in base64url without padding.
    public var pairingToken: String
    /// The device's serial number, unique for its model; at most 64 characters.
    public var serial: String
    /// The device's model; at most 64 characters.
    public var model: String
    /// The device's firmware version; at most 64 characters.
    public var firmware: String?
    /// The reason why the device's previous attempt failed, if there was one.
    public var lastFailure: DeviceSetupFailure?
    /// The credential that the device has from its previous owner. Without it, the device does not leave that owner.
    public var credential: String?

    /// Creates a claim.
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

/// The credential of a paired device. When it is issued, the pairing token becomes invalid.
@_spi(Inlay) public struct DeviceCredential: Codable, Hashable, Sendable {
    /// The id of the device.
    public var deviceID: String
    /// The device's own secret; sent once.
    public var credential: String

    /// Creates a credential.
    public init(deviceID: String, credential: String) {
        self.deviceID = deviceID
        self.credential = credential
    }
}

/// A report that a device received the token and now joins the network; sent only by devices that already reach the
/// server.
@_spi(Inlay) public struct DeviceSeen: Codable, Hashable, Sendable {
    /// The token that the device received over the light link.
    public var pairingToken: String

    /// Creates a report.
    public init(pairingToken: String) { self.pairingToken = pairingToken }
}

/// A report that the setup failed, from a device that reaches the server in another way than over the given network.
@_spi(Inlay) public struct DeviceFailureReport: Codable, Hashable, Sendable {
    /// The token that the device received over the light link.
    public var pairingToken: String
    /// The reason.
    public var reason: DeviceSetupFailure

    /// Creates a report.
    public init(pairingToken: String, reason: DeviceSetupFailure) {
        self.pairingToken = pairingToken
        self.reason = reason
    }
}
