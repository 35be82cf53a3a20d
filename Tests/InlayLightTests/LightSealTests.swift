import Crypto
import Foundation
import Testing

@_spi(Inlay) @testable import InlayLight

@Suite struct `The light link's seal` {
    private let payload = LightPayload.harbor
    private let secret = Array("a secret of 128b".utf8)

    private func receive(_ encoder: LightEncoder) -> LightReceiver {
        var receiver = LightReceiver()
        let levels = encoder.levels(count: 40 + encoder.blockCount * LightLink.blockSymbols)
        for level in [0, 0, 0, 0] + levels {
            for _ in 0..<17 where receiver.take([100, 400, 700][Int(level)]) == .complete { return receiver }
        }
        return receiver
    }

    @Test func `a sealed payload is opened only with its secret`() throws {
        let encoder = try LightEncoder(payload, sealedWith: secret)
        var receiver = receive(encoder)
        #expect((receiver.isComplete, receiver.isSealed) == (true, true))
        #expect((receiver.payload) == nil)
        let stranger = receiver.open(secret: Array("another of 128 b".utf8))
        #expect(!stranger)
        #expect((receiver.payload) == nil)
        // Firmware in C reads only the field count.
        #expect((receiver.fieldCount) == 0)
        let owner = receiver.open(secret: secret)
        #expect(owner)
        #expect((receiver.fieldCount) > 0)
        #expect((receiver.payload) == payload)
    }

    @Test func `another library's ChaCha20-Poly1305 and HKDF open a sealed payload`() throws {
        for length in [10, 16, 33, 64, 100] {
            let secret = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let salt = (0..<8).map { UInt8($0 + length) }
            let encoder = try LightEncoder(payload, sealedWith: secret, salt: salt)
            let content = Data(encoder.bytes.dropLast(4))
            let key = HKDF<Crypto.SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: Data(salt),
                info: Data("inlay light link 1".utf8), outputByteCount: 32)
            let box = try ChaChaPoly.SealedBox(
                nonce: ChaChaPoly.Nonce(data: Data(count: 12)),
                ciphertext: content[9..<content.count - 16], tag: content.suffix(16))
            let fields = try ChaChaPoly.open(box, using: key, authenticating: content.prefix(9))
            #expect(LightPayload(fields: Array(fields)) == payload)
        }
    }

    @Test func `a changed byte anywhere is noticed`() throws {
        let encoder = try LightEncoder(payload, sealedWith: secret, salt: Array(0..<8))
        let content = Array(encoder.bytes.dropLast(4))
        for offset in content.indices {
            var changed = content
            changed[offset] ^= 0x40
            let before = changed
            let opened = changed.withUnsafeMutableBufferPointer { bytes in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: LightSeal.words) { words in
                    guard let start = bytes.baseAddress, let words = words.baseAddress else { return true }
                    return LightSeal(words, secret: secret, count: secret.count, salt: start + 1)
                        .open(start, bytes.count)
                }
            }
            #expect(!opened, "byte \(offset)")
            #expect(changed == before, "byte \(offset)")
        }
    }

    @Test func `the same payload is sealed differently each time, and its length is padded to blocks`() throws
    {
        let one = try LightEncoder(payload, sealedWith: secret)
        let other = try LightEncoder(payload, sealedWith: secret)
        #expect(one.bytes[9...] != other.bytes[9...])
        var shorter = payload
        shorter.password = "ferry-471"
        #expect(try LightEncoder(shorter, sealedWith: secret).bytes.count == one.bytes.count)
    }

    @Test func `a secret below 80 bits is refused`() {
        #expect(throws: LightError.weakSecret) { try LightEncoder(payload, sealedWith: Array(0..<9)) }
    }
}
