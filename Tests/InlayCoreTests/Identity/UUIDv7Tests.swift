@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct UUIDv7Tests {
    private struct Ones: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    @Test func `an id holds its time, version and variant`() {
        var ones = Ones()
        let id = UUIDv7.make(at: Timestamp(microseconds: 0x0123_4567_89AB * 1000), using: &ones)
        #expect(id == "01234567-89ab-7fff-bfff-ffffffffffff")
    }

    @Test func `ids sort by time`() {
        let ids = (0..<100).map { UUIDv7.make(at: Timestamp(microseconds: $0 * 1000)) }
        #expect(ids == ids.sorted())
    }

    @Test func `ids of one moment differ`() {
        let ids = (0..<1000).map { _ in UUIDv7.make(at: Timestamp(microseconds: 1)) }
        #expect(Set(ids).count == 1000)
    }

    @Test(arguments: [Int64.min, -1, 0, .max]) func `any time makes a well-formed id`(time: Int64) {
        #expect(UUIDv7.make(at: Timestamp(microseconds: time)).count == 36)
    }
}
