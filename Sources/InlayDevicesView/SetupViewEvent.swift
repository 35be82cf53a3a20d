@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// A user's action on a set-up's screen, read from a page's message.
@_spi(Inlay) public enum SetupViewEvent: Hashable, Sendable {
    case back, close, next, skip, tryAgain, changeNetwork
    case mail(String), code(String), password(String), reset(code: String, password: String)
    case network(name: String, password: String)
    case sendAgain, usePassword, useCode, forgotPassword, forgotAddress, recoverPassword
    case lightStart, lightStopped, lightRead, picture, typed, light
    case lamp(DeviceSetupFailure)

    /// The maximum length of a field's text, in code points. The rest is cut off. Every field's own limit is far lower,
    /// even after NFKC, so the view still shows which field is too long.
    static let maximumTextLength = 2048

    /// Reads a message of kind `event`; `nil` for an unknown name, or a missing or invalid value.
    public init?(_ message: SurfaceMessage) {
        guard let name = message.eventName else { return nil }
        let value = message.payload["value"]?.string
        if name == "submit" {
            guard let event = Self.submitted(value, message.payload["values"]) else { return nil }
            self = event
            return
        }
        if name == "lamp" {
            guard let reason = value.flatMap(DeviceSetupFailure.init) else { return nil }
            self = .lamp(reason)
            return
        }
        guard let event = Self.eventsWithoutValue[name] else { return nil }
        self = event
    }

    private static let eventsWithoutValue: [String: SetupViewEvent] = [
        "back": .back, "close": .close, "next": .next, "skip": .skip, "try-again": .tryAgain,
        "change-network": .changeNetwork, "send-again": .sendAgain, "use-password": .usePassword,
        "use-code": .useCode, "forgot-password": .forgotPassword, "forgot-address": .forgotAddress,
        "recover-password": .recoverPassword,
        "light-start": .lightStart, "light-stopped": .lightStopped, "light-read": .lightRead,
        "picture": .picture, "typed": .typed, "light": .light,
    ]

    private static func submitted(_ kind: String?, _ values: JSONValue?) -> SetupViewEvent? {
        func text(_ name: String) -> String? {
            values?[name]?.string.map {
                String(String.UnicodeScalarView($0.unicodeScalars.prefix(maximumTextLength)))
            }
        }
        switch kind {
        case "mail": return text("email").map { .mail($0) }
        case "code": return text("code").map { .code(trimmed($0)) }
        case "log-in": return text("password").map { .password($0) }
        case "reset":
            guard let code = text("code"), let password = text("password") else { return nil }
            return .reset(code: trimmed(code), password: password)
        case "network":
            guard let name = text("network"), let password = text("password") else { return nil }
            return .network(name: name, password: password)
        default: return nil
        }
    }

    // Users often copy spaces with the code.
    private static func trimmed(_ text: String) -> String { String(text.filter { !$0.isWhitespace }) }
}
