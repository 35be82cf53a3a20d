/// The reason why a device could not reach the server. The device, the server and the app use the same set.
public enum DeviceSetupFailure: String, Codable, Hashable, Sendable, CaseIterable {
    /// The network rejected the password.
    case wrongPassword
    /// No network of that name is in reach of the device.
    case networkNotFound
    /// The device joined the network, but cannot reach the server from there.
    case noInternet
    /// The pairing token expired, or a newer pairing replaced it.
    case tokenExpired
    /// The device received no light signal, or none that it could decode.
    case noLight
    /// The user or the app cancelled the pairing.
    case cancelled
    /// Anything else, and every reason this version does not know.
    case other

    /// Reads any reason; an unknown reason of a newer peer becomes `other`.
    public init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: name) ?? .other
    }
}
