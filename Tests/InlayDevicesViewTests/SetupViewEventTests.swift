@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayDevicesView

/// The events that a set-up's page sends.
@Suite struct SetupViewEventTests {
    private func submitted(_ kind: String, _ values: [String: String]) -> SetupViewEvent? {
        let payload: JSONValue = [
            "name": "submit", "value": .string(kind), "values": .object(values.mapValues { .string($0) }),
        ]
        return SetupViewEvent(SurfaceMessage(surface: "s", kind: "event", id: "1", payload: payload))
    }

    @Test func `a text that is too long for every field is cut, and still too long`() {
        let limit = SetupViewEvent.maximumTextLength
        let long = String(repeating: "👩", count: limit + 500), cut = String(repeating: "👩", count: limit)
        #expect(submitted("log-in", ["password": long]) == .password(cut))
        #expect(submitted("mail", ["email": long]) == .mail(cut))
        #expect(
            submitted("network", ["network": long, "password": long]) == .network(name: cut, password: cut))
        // Four code points may become one by NFKC, and a password has at most 256.
        #expect(limit / 4 > 256)
    }

    @Test func `texts within the limits arrive unchanged, and a message without a text is ignored`() {
        #expect(submitted("log-in", ["password": " \u{301}x "]) == .password(" \u{301}x "))
        #expect(submitted("code", ["code": " AB3 4 "]) == .code("AB34"))
        #expect(submitted("log-in", [:]) == nil && submitted("else", ["password": "x"]) == nil)
    }
}
