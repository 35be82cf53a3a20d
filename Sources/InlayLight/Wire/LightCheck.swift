/// The two checks of the light link: 24 bits over each block, 32 over the payload.
///
/// A block's check must stand hundreds of guesses when a lost symbol is looked for, which 16 bits do not.
enum LightCheck {
    static let start24: UInt32 = 0xB7_04CE
    static let start32: UInt32 = 0xFFFF_FFFF

    /// CRC-24 as in RFC 9580 (polynomial 0x864CFB), carried on by one byte.
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

    /// CRC-32 as in IEEE 802.3, carried on by one byte; inverted at the end by the caller.
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
