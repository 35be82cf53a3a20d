/// A reader of a block's body in a ring, unchanged or with up to two edits, that verifies the block's check.
struct BlockReader {
    /// The CRC of a valid body before the whitening is removed: that of the whitening alone.
    static let remainder: UInt32 = 0xDA_2E88
    let ring: SymbolRing
    /// The destination of the body: 17 bytes.
    let body: UnsafeMutablePointer<UInt8>

    /// Reads the body that ends before `end`, with two edits at offsets from its start. When the check is valid,
    /// returns true and leaves the body in `body` without whitening.
    @inline(never)
    func read(end: UInt8, _ first: UInt8, at place: UInt8, _ second: UInt8, at other: UInt8) -> Bool {
        let length = UInt8(LightLink.bodySymbols)
        let start = end &- length &+ Edit.gain(first) &+ Edit.gain(second)
        var seen: UInt8 = 0
        var made: UInt8 = 0
        var check = LightCheck.start24
        while made < length {
            let kind = seen == place ? first : seen == other ? second : Edit.none
            let bit = ring.bit(start &+ seen)
            var repaired = Edit.repair(kind, bit)
            seen &+= 1
            if kind >= Edit.swap {
                if (ring.bit(start &+ seen) == bit) != (kind == Edit.merge) { return false }
                seen &+= 1
            }
            // The highest set bit only marks the end of the repaired bits.
            while repaired != 1, made < length {
                let next = repaired & 1
                repaired &>>= 1
                let index = Int(made &>> 3)
                body[index] = body[index] &<< 1 | next
                check = check &<< 1 ^ UInt32(next) &<< 24
                if check & 0x100_0000 != 0 { check ^= 0x186_4CFB }
                made &+= 1
            }
        }
        guard check == Self.remainder else { return false }
        var whitening = Whitening()
        var index = 0
        while index < LightLink.blockBody {
            body[index] ^= whitening.next()
            index &+= 1
        }
        return true
    }
}
