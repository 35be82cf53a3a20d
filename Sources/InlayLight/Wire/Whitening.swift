/// The pseudo-random bytes (PN9: x⁹+x⁵+1, all ones at the start) that are XORed with each block's body, so that a
/// payload of zeros flashes like any other.
struct Whitening {
    private var state: UInt16 = 0x1FF

    mutating func next() -> UInt8 {
        let byte = UInt8(truncatingIfNeeded: state)
        for _ in 0..<8 { state = state >> 1 | ((state ^ state >> 5) & 1) << 8 }
        return byte
    }
}
