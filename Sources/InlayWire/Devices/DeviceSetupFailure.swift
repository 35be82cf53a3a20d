/// The reason why a device did not get to the server. The same words on the device, the server and the screen.
public enum DeviceSetupFailure: String, Codable, Hashable, Sendable, CaseIterable {
    /// The network did not take the password.
    case wrongPassword
    /// No network of that name is in reach of the device.
    case networkNotFound
    /// The device joined, but the server cannot be reached from there.
    case noInternet
    /// The pairing took longer than its token lives, or a newer one took its place.
    case tokenExpired
    /// The device saw no light, or none that it could read.
    case noLight
    /// The user or the app cancelled it.
    case cancelled
    /// Anything else, and every reason this version does not know.
    case other

    /// Reads any reason; one of a newer peer becomes `other`.
    public init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: name) ?? .other
    }
}
