/// Poly1305 (RFC 8439) with limbs of 26 bits.
struct Poly1305 {
    private typealias Limbs = (UInt32, UInt32, UInt32, UInt32, UInt32)
    private static let mask: UInt32 = 0x3FF_FFFF
    private let factor: Limbs
    private var sum: Limbs = (0, 0, 0, 0, 0)
    /// The bytes of a block that is not full yet, and how many they are.
    private var waiting: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    private var count: UInt32 = 0

    /// The first half of the key; the second is added at the end.
    init(_ words: (UInt32, UInt32, UInt32, UInt32)) {
        let (a, b, c, d) = words
        factor = (
            a & 0x3FF_FFFF, (a &>> 26 | b &<< 6) & 0x3FF_FF03, (b &>> 20 | c &<< 12) & 0x3FF_C0FF,
            (c &>> 14 | d &<< 18) & 0x3F0_3FFF, d &>> 8 & 0x00F_FFFF
        )
    }

    mutating func add(_ byte: UInt8) {
        // Moved in from the top, so that after sixteen bytes the first one is lowest.
        waiting.0 = waiting.0 &>> 8 | waiting.1 &<< 24
        waiting.1 = waiting.1 &>> 8 | waiting.2 &<< 24
        waiting.2 = waiting.2 &>> 8 | waiting.3 &<< 24
        waiting.3 = waiting.3 &>> 8 | UInt32(byte) &<< 24
        count &+= 1
        if count == 16 { absorb() }
    }

    /// Fills the block with zeros, as the sealed format does behind each part.
    mutating func pad() {
        while count != 0 { add(0) }
    }

    // Where a word has 32 bits, the plain conversion brings a generic one along that wants a heap. The
    // conversion from bits is the same on the little-endian machines that Swift runs on.
    private static func wide(_ word: UInt32) -> UInt64 {
        unsafeBitCast((word.littleEndian, UInt32(0)), to: UInt64.self).littleEndian
    }

    private mutating func absorb() {
        let (a, b, c, d) = waiting
        sum.0 &+= a & Self.mask
        sum.1 &+= (a &>> 26 | b &<< 6) & Self.mask
        sum.2 &+= (b &>> 20 | c &<< 12) & Self.mask
        sum.3 &+= (c &>> 14 | d &<< 18) & Self.mask
        sum.4 &+= d &>> 8 | 1 &<< 24
        waiting = (0, 0, 0, 0)
        count = 0
        multiply()
    }

    private mutating func multiply() {
        func times(_ left: UInt32, _ right: UInt32) -> UInt64 { Self.wide(left) &* Self.wide(right) }
        let (h, r) = (sum, factor)
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
        sum = (low(d0), low(d1), low(d2), low(d3), low(d4))
        sum.0 &+= UInt32(truncatingIfNeeded: d4 &>> 26) &* 5
        sum.1 &+= sum.0 &>> 26
        sum.0 &= Self.mask
    }

    /// The tag's four words, lowest first; `words` is the second half of the key.
    mutating func finish(_ words: (UInt32, UInt32, UInt32, UInt32)) -> (UInt32, UInt32, UInt32, UInt32) {
        carry()
        carry()
        var high: Limbs = sum
        // Less the prime, when it is at least that: both are reckoned, and one is taken without a branch.
        high.0 = sum.0 &+ 5
        high.1 = sum.1 &+ high.0 &>> 26
        high.2 = sum.2 &+ high.1 &>> 26
        high.3 = sum.3 &+ high.2 &>> 26
        high.4 = sum.4 &+ high.3 &>> 26 &- 1 &<< 26
        let keep = 0 &- (high.4 &>> 31)
        func pick(_ one: UInt32, _ other: UInt32) -> UInt32 { (one & keep | other & ~keep) & Self.mask }
        let (a, b, c) = (pick(sum.0, high.0), pick(sum.1, high.1), pick(sum.2, high.2))
        let (d, e) = (pick(sum.3, high.3), pick(sum.4, high.4))
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
        sum.1 &+= sum.0 &>> 26
        sum.2 &+= sum.1 &>> 26
        sum.3 &+= sum.2 &>> 26
        sum.4 &+= sum.3 &>> 26
        sum.0 = sum.0 & Self.mask &+ (sum.4 &>> 26) &* 5
        sum.1 &= Self.mask
        sum.2 &= Self.mask
        sum.3 &= Self.mask
        sum.4 &= Self.mask
    }
}
