@_spi(Inlay) import InlayLight

extension LightPayload {
    /// The payload of most tests: five blocks.
    static let harbor = LightPayload(
        ssid: "Harbor", password: "ferry-4711", token: Array(0..<16), host: "inlay.example")
}
