/// The Poly1305 authenticator (RFC 8439), with limbs of 26 bits.
struct Poly1305 {
    private typealias Limbs = (UInt32, UInt32, UInt32, UInt32, UInt32)
    private static let mask: UInt32 = 0x3FF_FFFF
    private let r: Limbs
    private var accumulator: Limbs = (0, 0, 0, 0, 0)
    /// The bytes of the incomplete block.
    private var block: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    /// The number of bytes in `block`.
    private var count: UInt32 = 0

    /// Starts a tag with the first half of the key (`r`); `finish` adds the second (`s`).
    init(_ words: (UInt32, UInt32, UInt32, UInt32)) {
        let (a, b, c, d) = words
        r = (
            a & 0x3FF_FFFF, (a &>> 26 | b &<< 6) & 0x3FF_FF03, (b &>> 20 | c &<< 12) & 0x3FF_C0FF,
            (c &>> 14 | d &<< 18) & 0x3F0_3FFF, d &>> 8 & 0x00F_FFFF
        )
    }

    mutating func add(_ byte: UInt8) {
        // Each byte is shifted in from the top, so that after sixteen bytes the first is the lowest.
        block.0 = block.0 &>> 8 | block.1 &<< 24
        block.1 = block.1 &>> 8 | block.2 &<< 24
        block.2 = block.2 &>> 8 | block.3 &<< 24
        block.3 = block.3 &>> 8 | UInt32(byte) &<< 24
        count &+= 1
        if count == 16 { absorb() }
    }

    /// Pads the block with zeros (RFC 8439, 2.8, `pad16`).
    mutating func pad() {
        while count != 0 { add(0) }
    }

    // On 32-bit targets, the usual conversion links a generic function that needs a heap. This bit cast gives the same
    // value; it is written for any byte order.
    private static func wide(_ word: UInt32) -> UInt64 {
        unsafeBitCast((word.littleEndian, UInt32(0)), to: UInt64.self).littleEndian
    }

    private mutating func absorb() {
        let (a, b, c, d) = block
        accumulator.0 &+= a & Self.mask
        accumulator.1 &+= (a &>> 26 | b &<< 6) & Self.mask
        accumulator.2 &+= (b &>> 20 | c &<< 12) & Self.mask
        accumulator.3 &+= (c &>> 14 | d &<< 18) & Self.mask
        accumulator.4 &+= d &>> 8 | 1 &<< 24
        block = (0, 0, 0, 0)
        count = 0
        multiply()
    }

    private mutating func multiply() {
        func times(_ left: UInt32, _ right: UInt32) -> UInt64 { Self.wide(left) &* Self.wide(right) }
        let (h, r) = (accumulator, r)
        let five: Limbs = (0, r.1 &* 5, r.2 &* 5, r.3 &* 5, r.4 &* 5)
        var d0 = times(h.0, r.0) &+ times(h.1, five.4) &+ times(h.2, five.3)
        d0 = d0 &+ times(h.3, five.2) &+ times(h.4, five.1)
        var d1 = times(h.0, r.1) &+ times(h.1, r.0) &+ times(h.2, five.4)
        d1 = d1 &+ times(h.3, five.3) &+ times(h.4, five.2)
        var d2 = times(h.0, r.2) &+ times(h.1, r.1) &+ times(h.2, r.0)
        d2 = d2 &+ times(h.3, five.4) &+ times(h.4, five.3)
        var d3 = times(h.0, r.3) &+ times(h.1, r.2) &+ times(h.2, r.1)
        d3 = d3 &+ times(h.3, r.0) &+ times(h.4, five.4)
        var d4 = times(h.0, r.4) &+ times(h.1, r.3) &+ times(h.2, r.2)
        d4 = d4 &+ times(h.3, r.1) &+ times(h.4, r.0)
        d1 &+= d0 &>> 26
        d2 &+= d1 &>> 26
        d3 &+= d2 &>> 26
        d4 &+= d3 &>> 26
        func low(_ limb: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: limb) & Self.mask }
        accumulator = (low(d0), low(d1), low(d2), low(d3), low(d4))
        accumulator.0 &+= UInt32(truncatingIfNeeded: d4 &>> 26) &* 5
        accumulator.1 &+= accumulator.0 &>> 26
        accumulator.0 &= Self.mask
    }

    /// Returns the four words of the tag, lowest first; `words` is the second half of the key.
    mutating func finish(_ words: (UInt32, UInt32, UInt32, UInt32)) -> (UInt32, UInt32, UInt32, UInt32) {
        carry()
        carry()
        var high: Limbs = accumulator
        // Subtracts the prime if the accumulator is not smaller. Both results are computed and one is selected without
        // a branch, so that the time does not depend on the key.
        high.0 = accumulator.0 &+ 5
        high.1 = accumulator.1 &+ high.0 &>> 26
        high.2 = accumulator.2 &+ high.1 &>> 26
        high.3 = accumulator.3 &+ high.2 &>> 26
        high.4 = accumulator.4 &+ high.3 &>> 26 &- 1 &<< 26
        let keep = 0 &- (high.4 &>> 31)
        func pick(_ one: UInt32, _ other: UInt32) -> UInt32 { (one & keep | other & ~keep) & Self.mask }
        let (a, b, c) = (
            pick(accumulator.0, high.0), pick(accumulator.1, high.1), pick(accumulator.2, high.2)
        )
        let (d, e) = (pick(accumulator.3, high.3), pick(accumulator.4, high.4))
        var total = Self.wide(a | b &<< 26) &+ Self.wide(words.0)
        let first = UInt32(truncatingIfNeeded: total)
        total = Self.wide(b &>> 6 | c &<< 20) &+ Self.wide(words.1) &+ total &>> 32
        let second = UInt32(truncatingIfNeeded: total)
        total = Self.wide(c &>> 12 | d &<< 14) &+ Self.wide(words.2) &+ total &>> 32
        let third = UInt32(truncatingIfNeeded: total)
        total = Self.wide(d &>> 18 | e &<< 8) &+ Self.wide(words.3) &+ total &>> 32
        return (first, second, third, UInt32(truncatingIfNeeded: total))
    }

    private mutating func carry() {
        accumulator.1 &+= accumulator.0 &>> 26
        accumulator.2 &+= accumulator.1 &>> 26
        accumulator.3 &+= accumulator.2 &>> 26
        accumulator.4 &+= accumulator.3 &>> 26
        accumulator.0 = accumulator.0 & Self.mask &+ (accumulator.4 &>> 26) &* 5
        accumulator.1 &= Self.mask
        accumulator.2 &= Self.mask
        accumulator.3 &= Self.mask
        accumulator.4 &= Self.mask
    }
}
