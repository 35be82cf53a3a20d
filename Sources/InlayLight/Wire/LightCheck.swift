/// The two checksums of the light link: CRC-24 for each block, CRC-32 for the payload.
///
/// The repair of a lost symbol tests hundreds of guesses against a block's check; 16 bits would be too few for that.
enum LightCheck {
    static let start24: UInt32 = 0xB7_04CE
    static let start32: UInt32 = 0xFFFF_FFFF

    /// Returns the CRC-24 of RFC 9580 (polynomial 0x864CFB) after one more byte.
    static func crc24(_ check: UInt32, _ byte: UInt8) -> UInt32 {
        var check = check ^ UInt32(byte) << 16
        var bits = 8
        while bits > 0 {
            bits &-= 1
            check <<= 1
            if check & 0x100_0000 != 0 { check ^= 0x186_4CFB }
        }
        return check
    }

    /// Returns the CRC-32 of IEEE 802.3 after one more byte; the caller inverts the final value.
    static func crc32(_ check: UInt32, _ byte: UInt8) -> UInt32 {
        var check = check ^ UInt32(byte)
        var bits = 8
        while bits > 0 {
            bits &-= 1
            check = check & 1 == 0 ? check >> 1 : check >> 1 ^ 0xEDB8_8320
        }
        return check
    }
}
