@_spi(Inlay) import InlayWire

/// The Wi-Fi networks in reach of a simulated device.
struct SimulatedNetworks {
    private let passwords: [String: String]
    private let hasInternet: Bool

    /// Parses the networks. Throws when a text is not NAME=PASSWORD.
    init(_ texts: [String], hasInternet: Bool) throws {
        var passwords: [String: String] = [:]
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw CommandError("--wifi is NAME=PASSWORD.")
            }
            passwords[String(text[..<sign])] = String(text[text.index(after: sign)...])
        }
        self.passwords = passwords
        self.hasInternet = hasInternet
    }

    /// Returns the reason why joining fails; `nil` when the device is online.
    func failure(joining name: String, password: String) -> DeviceSetupFailure? {
        guard let expected = passwords[name] else { return .networkNotFound }
        guard expected == password else { return .wrongPassword }
        return hasInternet ? nil : .noInternet
    }
}
