@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

@Suite struct SecretStringTests {
    private struct Holder {
        let name = "holder"
        let secret: SecretString?
    }

    @Test func `no way of printing a secret shows it, also not inside of another value`() {
        let secret: SecretString = "planted"
        var printed = [
            "\(secret)", String(describing: secret), String(reflecting: secret), secret.debugDescription,
            "\(Holder(secret: secret))", String(reflecting: Holder(secret: secret)), "\([secret])",
            "\(["key": secret])",
        ]
        var dumped = ""
        dump(Holder(secret: secret), to: &dumped)
        printed.append(dumped)
        #expect(printed.allSatisfy { !$0.contains("planted") && $0.contains("<redacted>") }, "\(printed)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(secret.value == "planted" && secret == "planted" && secret != "planter")
    }

    @Test func `a server, its settings and its services print without a secret`() async throws {
        try await TestApp.run(configure: { configuration in
            configuration.metricsToken = "planted"
            configuration.mail = try? SMTPSettings(
                host: "127.0.0.1", security: .none, user: "u", password: "planted", sender: "a@example.com")
        }) { app async throws in
            #expect(app.services.configuration.mail?.password?.value == "planted")
            var printed = "\(app.server) \(app.services) \(app.services.configuration)"
            dump(app.services.configuration, to: &printed)
            #expect(!printed.contains("planted"))
            #expect("\(app.server)" == "InlayServer")
        }
    }
}
