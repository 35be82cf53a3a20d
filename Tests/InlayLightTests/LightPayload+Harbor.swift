import InlayLight

extension LightPayload {
    /// What most tests send: five blocks.
    static let harbor = LightPayload(
        ssid: "Harbor", password: "ferry-4711", token: Array(0..<16), host: "inlay.example")
}
