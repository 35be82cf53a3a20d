import InlayLightChannel
import Testing

@_spi(Inlay) @testable import InlayLight

@Suite struct `The light receiver` {
    /// Feeds the readings of a perfect screen and sensor to the receiver, and returns its final outcome.
    private func listen(_ levels: [UInt8], to receiver: inout LightReceiver) -> LightReceiver.Outcome {
        for level in [0, 0, 0, 0] + levels {
            for _ in 0..<17 {
                let outcome = receiver.take([100, 400, 700][Int(level)])
                if outcome == .complete || outcome == .refused { return outcome }
            }
        }
        return .nothing
    }

    /// Returns the levels of these blocks in this order, with a sync after the last one.
    private func levels(_ encoder: LightEncoder, _ ids: [UInt8]) -> [UInt8] {
        var levels: [UInt8] = []
        var level: UInt8 = 0
        func show(_ bits: UInt16, _ width: Int) {
            for position in (0..<width).reversed() {
                level = LightLink.level(after: level, bit: UInt8(bits >> position & 1))
                levels.append(level)
            }
        }
        show(0xFFFF, 12)
        for id in ids {
            show(LightLink.sync, 12)
            for byte in encoder.block(id) { show(UInt16(byte), 8) }
        }
        show(LightLink.sync, 12)
        return levels
    }

    private func payload(_ random: inout ChannelRandom) -> LightPayload {
        func text(_ count: Int) -> String {
            String(
                (0..<count).map { _ in Character(UnicodeScalar(UInt8.random(in: 32...126, using: &random))) })
        }
        return LightPayload(
            ssid: text(Int.random(in: 1...32, using: &random)),
            password: text(Int.random(in: 0...64, using: &random)),
            token: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
            host: text(Int.random(in: 0...60, using: &random)),
            country: Bool.random(using: &random) ? "DE" : nil,
            time: Bool.random(using: &random) ? UInt32.random(in: 0...(.max), using: &random) : nil)
    }

    @Test func `random payloads are received unchanged`() throws {
        for seed in UInt64(1)...20 {
            var random = ChannelRandom(seed: seed)
            let payload = payload(&random)
            let encoder = try LightEncoder(payload)
            var receiver = LightReceiver()
            let levels = encoder.levels(count: 20 + encoder.blockCount * LightLink.blockSymbols)
            #expect(listen(levels, to: &receiver) == .complete)
            #expect((receiver.payload) == payload)
            #expect((receiver.blocksReceived) == receiver.blocksNeeded)
        }
    }

    @Test func `any blocks in any order are enough, as many as there are data blocks`() throws {
        for seed in UInt64(1)...20 {
            var random = ChannelRandom(seed: seed)
            let payload = payload(&random)
            let encoder = try LightEncoder(payload)
            let ids = Array((UInt8.min...UInt8.max).shuffled(using: &random).prefix(encoder.blockCount))
            var receiver = LightReceiver()
            #expect(listen(levels(encoder, ids), to: &receiver) == .complete, "seed \(seed), blocks \(ids)")
            #expect((receiver.payload) == payload)
        }
    }

    @Test func `one block fewer is not enough, and a block twice counts once`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        let ids = (0..<UInt8(encoder.blockCount - 1)).flatMap { [$0, $0] }
        var receiver = LightReceiver()
        #expect(listen(levels(encoder, ids), to: &receiver) == .nothing)
        #expect((receiver.isComplete) == false)
        #expect((receiver.payload) == nil)
        #expect((receiver.blocksReceived) == UInt8(encoder.blockCount - 1))
    }

    @Test func `one lost symbol is repaired at any position in a block`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        let all = encoder.levels(count: 40 + encoder.blockCount * LightLink.blockSymbols)
        for lost in stride(from: 24, to: 24 + 135, by: 5) {
            var levels = all
            // The level before it is shown again, as by a screen that skips a frame.
            levels[lost] = levels[lost - 1]
            var receiver = LightReceiver()
            #expect(listen(levels, to: &receiver) == .complete, "symbol \(lost)")
            #expect((receiver.payload) == LightPayload.harbor)
        }
    }

    @Test func `two lost symbols in one block are repaired`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        let all = encoder.levels(count: 40 + encoder.blockCount * LightLink.blockSymbols)
        for lost in stride(from: 24, to: 24 + 100, by: 7) {
            var levels = all
            levels[lost] = levels[lost - 1]
            levels[lost + 30] = levels[lost + 29]
            var receiver = LightReceiver()
            #expect(listen(levels, to: &receiver) == .complete, "symbols \(lost) and \(lost + 30)")
        }
    }

    @Test func `blocks of another payload discard those of the first`() throws {
        var changed = LightPayload.harbor
        changed.password = "another one"
        let (old, new) = (try LightEncoder(LightPayload.harbor), try LightEncoder(changed))
        #expect(old.block(0) != new.block(0))
        var receiver = LightReceiver()
        #expect(listen(levels(old, [0, 1, 2, 3]), to: &receiver) == .nothing)
        #expect((receiver.blocksReceived) == 4)
        #expect(listen(levels(new, [5, 4, 3, 2, 1, 0]), to: &receiver) == .complete)
        #expect((receiver.payload) == changed)
    }

    @Test
    func `a guessed block of another payload is ignored, and an undamaged one discards the first payload`()
        throws
    {
        var changed = LightPayload.harbor
        changed.password = "another one"
        let (old, new) = (try LightEncoder(LightPayload.harbor), try LightEncoder(changed))
        var damaged = levels(new, [7])
        damaged[80] = damaged[79]
        // The receiver still tests guesses of lost symbols while the level does not change.
        let pause = [UInt8](repeating: 0, count: 300)
        var receiver = LightReceiver()
        #expect(listen(levels(old, [0, 1, 2]) + damaged + pause, to: &receiver) == .nothing)
        #expect((receiver.blocksReceived) == 3)
        #expect(listen(levels(new, [8]), to: &receiver) == .nothing)
        #expect((receiver.blocksReceived) == 1)
        // A guessed block counts when its header matches the blocks before it.
        var fitting = levels(old, [0, 1, 2, 7])
        let lost = fitting.count - 90
        fitting[lost] = fitting[lost - 1]
        #expect(listen(fitting + pause, to: &receiver) == .nothing)
        #expect((receiver.blocksReceived) == 4)
    }

    @Test func `a payload with a wrong checksum is refused, and its blocks are discarded`() throws {
        // The payload's checksum is wrong, as if a damaged block had been accepted.
        let encoder = try LightEncoder(LightPayload.harbor)
        var damaged = encoder.bytes
        damaged[20] ^= 1
        let wrong = LightEncoder(unchecked: damaged)
        var receiver = LightReceiver()
        #expect(listen(levels(wrong, [0, 1, 2, 3, 4, 5]), to: &receiver) == .refused)
        #expect((receiver.blocksReceived) == 0)
        #expect(listen(levels(encoder, [0, 1, 2, 3, 4, 5]), to: &receiver) == .complete)
    }

    @Test func `after a reset the receiver receives another payload`() throws {
        let encoder = try LightEncoder(LightPayload.harbor)
        var receiver = LightReceiver()
        #expect(listen(encoder.levels(count: 1_100), to: &receiver) == .complete)
        let again = receiver.take(0)
        #expect(again == .complete)
        receiver.reset()
        #expect((receiver.isComplete) == false)
        #expect((receiver.fieldCount) == 0)
        #expect(listen(encoder.levels(count: 1_100), to: &receiver) == .complete)
    }

    @Test func `the workspace and the receiver stay below one kilobyte`() {
        #expect(LightReceiver.workspaceBytes + MemoryLayout<LightReceiver>.size < 1_024)
    }

    @Test func `the remainder of a whitened body is that of the whitening alone`() {
        var whitening = Whitening()
        let remainder = (0..<17).reduce(UInt32(0)) { check, _ in LightCheck.crc24(check, whitening.next()) }
        #expect(remainder == BlockReader.remainder)
    }
}
