@_spi(Inlay) import InlayLight
import Testing

/// Test vectors that must never change, because devices in use decode these bytes.
@Suite struct `The light link's golden vectors` {
    private let payload = LightPayload(
        ssid: "Harbor", password: "ferry-4711", token: Array(0..<16), host: "inlay.example")

    @Test func `payload 1 travels as these bytes`() throws {
        let expected = """
            010106486172626f72020a66657272792d343731310310000102030405060708090a0b0c\
            0d0e0f040d696e6c61792e6578616d706c650000bd5ded00
            """
        #expect(hex(try LightEncoder(payload).bytes) == expected)
    }

    @Test func `payload 1's blocks 0, 4, 6 and 255 travel as these bytes`() throws {
        let encoder = try LightEncoder(payload)
        #expect(encoder.blockCount == 5)
        #expect(hex(encoder.block(0)) == "4be11c9bebcd52568815a03b7af147966d")
        #expect(hex(encoder.block(4)) == "4be565fb80f55f41ea7a6f649d970ec7f4")
        #expect(hex(encoder.block(6)) == "4be75b0de715767e39f3178dd26f519bb9")
        #expect(hex(encoder.block(255)) == "4b1ecef9812bb7212fa167c692c77948af")
    }

    @Test func `payload 1 starts with these levels`() throws {
        let levels = try LightEncoder(payload).levels(count: 60).map(String.init).joined()
        #expect(levels == "120120120120120121012121010202012010210102120102021202012010")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
