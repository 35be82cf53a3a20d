/// The constants of the light link, version 1. `Docs/LightLink.md` specifies the format.
///
/// A flashing square shows one of three levels. Only changes of the level carry data, so neither side needs a clock: a
/// frame that is shown too long only costs time.
@_spi(Inlay) public enum LightLink {
    /// The version that this code sends and can read.
    public static let version: UInt8 = 1
    /// The grey values (sRGB) of levels 0, 1 and 2: dark, half of the light, all of the light.
    public static let grays: (UInt8, UInt8, UInt8) = (0, 188, 255)

    /// The number of data bytes in a block.
    public static let blockData = 12
    /// The maximum number of blocks of a payload; 192 bytes with its check.
    public static let maximumBlocks = 16
    /// The number of bytes of a block's body: header (2), data (12), check (3).
    public static let blockBody = 17
    /// The number of symbols of a block's body.
    static let bodySymbols = blockBody * 8
    /// The start of a block, as `syncSymbols` bits, first symbol highest: a Barker code without its last bit, so that
    /// it differs from itself when shifted.
    public static let sync: UInt16 = 0b1111_1001_1010
    /// The number of symbols of `sync`.
    public static let syncSymbols = 12
    /// The number of symbols from one block's start to the next one's.
    public static let blockSymbols = syncSymbols + bodySymbols
    /// The number of symbols of bit 1 before the first block. They show each level four times, so that a receiver knows
    /// the range from dark to bright before the first data.
    public static let leadIn = 12

    /// A flag in a payload's first byte: the fields are sealed with a secret that only the device has.
    static let sealedFlag: UInt8 = 0x10
    /// The number of bytes of the check at the end of a payload.
    static let checkBytes = 4

    /// Returns the level that follows `level`: one up for bit 1, two up for bit 0, modulo 3. Hence no two successive
    /// levels are equal.
    @inline(__always)
    static func level(after level: UInt8, bit: UInt8) -> UInt8 {
        let next = level + 2 - bit
        return next >= 3 ? next - 3 : next
    }
}
