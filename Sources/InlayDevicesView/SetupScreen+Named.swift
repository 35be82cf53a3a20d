@_spi(Inlay) import InlayWire

extension SetupScreen.Body {
    /// Creates a sample screen by its name in the page: `mail`, `code`, `log-in`, `reset`, `network`, `safety` (or
    /// `safety:2` for two seconds left), `picture`, `typed`, `waiting`, `paired`, `failed:REASON`, `tip:NUMBER`,
    /// `logo`, `working`, `closed`. `nil` for other names, also for `light`, because a preview must not flash.
    public init?(named name: String) {
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        let detail = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "logo": self = .logo
        case "mail": self = .mail
        case "code": self = .code
        case "log-in": self = .logIn
        case "reset": self = .reset
        case "network": self = .network
        case "safety": self = .safety(secondsLeft: Int(detail) ?? 0)
        case "picture": self = .picture(text: String(repeating: "A code for a camera. ", count: 6))
        case "typed": self = .typed(code: "000G4 0R40M 30E20 9185G R38E1 W", host: "devices.example.com")
        case "waiting": self = .waiting
        case "paired": self = .paired
        case "tip": self = .tip(Int(detail) ?? 0)
        case "working": self = .working
        case "closed": self = .closed
        case "failed":
            guard let failure = Self.failure(detail) else { return nil }
            self = .failed(failure)
        default: return nil
        }
    }

    private static func failure(_ name: String) -> SetupScreen.Failure? {
        switch name {
        case "connectionLost": .connectionLost
        case "applicationRefused": .applicationRefused
        case "tooLong": .tooLong
        case "server": .server
        default: DeviceSetupFailure(rawValue: name).map { .device($0) }
        }
    }
}
