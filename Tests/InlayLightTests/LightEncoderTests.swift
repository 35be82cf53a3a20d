import Testing

@_spi(Inlay) @testable import InlayLight

@Suite struct `The light encoder` {
    @Test func `whitening and checksums match their published vectors`() {
        var whitening = Whitening()
        let expected: [UInt8] = [0xFF, 0xE1, 0x1D, 0x9A, 0xED, 0x85, 0x33, 0x24, 0xEA, 0x7A, 0xD2, 0x39]
        #expect((0..<12).map { _ in whitening.next() } == expected)
        #expect(Array("123456789".utf8).reduce(LightCheck.start24, LightCheck.crc24) == 0x21_CF02)
        #expect(~Array("123456789".utf8).reduce(LightCheck.start32, LightCheck.crc32) == 0xCBF4_3926)
    }

    @Test func `every number but 0 has an inverse`() {
        for number in UInt8(1)...255 {
            #expect(GaloisField.product(number, GaloisField.inverse(number)) == 1)
        }
        #expect(GaloisField.inverse(0) == 0)
    }

    @Test func `no level is repeated, and the first one differs from dark`() throws {
        let levels = try LightEncoder(LightPayload.harbor).levels(count: 50_000)
        #expect(levels.count == 50_000)
        #expect(levels[0] != 0)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 != $1 && $0 < 3 && $1 < 3 })
    }

    @Test func `a payload consists of its fields, padding and a checksum`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        #expect(encoder.bytes.count == encoder.blockCount * 12)
        #expect(encoder.bytes[0] == 1)
        let fields = Array(encoder.bytes.dropFirst().dropLast(4))
        #expect(LightPayload(fields: fields) == LightPayload.harbor)
    }

    @Test func `a field of the wrong length is refused`() {
        var payload = LightPayload.harbor
        payload.ssid = ""
        #expect(throws: LightError.ssidLength) { try LightEncoder(payload) }
        payload.ssid = String(repeating: "s", count: 33)
        #expect(throws: LightError.ssidLength) { try LightEncoder(payload) }
        payload.ssid = "s"
        payload.password = String(repeating: "p", count: 65)
        #expect(throws: LightError.passwordLength) { try LightEncoder(payload) }
        payload.password = ""
        payload.token = [1]
        #expect(throws: LightError.tokenLength) { try LightEncoder(payload) }
        payload.token = Array(0..<16)
        payload.host = String(repeating: "h", count: 200)
        #expect(throws: LightError.tooLong) { try LightEncoder(payload) }
    }

    @Test func `the rate falls by whole frames`() {
        let rates = LightRateSchedule.standard
        #expect(rates.framesPerSymbol(atSecond: 0, framesPerSecond: 60) == 1)
        #expect(rates.framesPerSymbol(atSecond: 16, framesPerSecond: 60) == 2)
        #expect(rates.framesPerSymbol(atSecond: 60, framesPerSecond: 60) == 3)
        #expect(rates.framesPerSymbol(atSecond: 0, framesPerSecond: 120) == 2)
        #expect(rates.framesPerSymbol(atSecond: 0, framesPerSecond: 30) == 1)
    }
}
