/// The numbers of the light link, version 1. `Docs/LightLink.md` is the format's full text.
///
/// A flashing patch shows one of three levels. Only changes carry data, so neither side keeps time: a frame
/// that stays longer costs time and nothing else.
@_spi(Inlay) public enum LightLink {
    /// The version that this code sends and understands.
    public static let version: UInt8 = 1
    /// The grey values (sRGB) of levels 0, 1 and 2: dark, half of the light, all of it.
    public static let grays: (UInt8, UInt8, UInt8) = (0, 188, 255)

    /// Data bytes in a block.
    public static let blockData = 12
    /// The most blocks that a payload is cut into; 192 bytes with its check.
    public static let maximumBlocks = 16
    /// Bytes of a block's body: header (2), data (12), check (3).
    public static let blockBody = 17
    /// Symbols of a block's body.
    static let bodySymbols = blockBody * 8
    /// The start of a block, as `syncSymbols` bits, first symbol highest: a Barker code without its last bit, so that it
    /// differs from itself when it is shifted.
    public static let sync: UInt16 = 0b1111_1001_1010
    /// Symbols of `sync`.
    public static let syncSymbols = 12
    /// Symbols from one block's start to the next's.
    public static let blockSymbols = syncSymbols + bodySymbols
    /// Symbols of bit 1 before the first block. They show each level four times, so that a receiver knows what
    /// dark and bright are before data comes.
    public static let leadIn = 12

    /// Flag in a payload's first byte: the fields are sealed with a secret that only the device knows.
    static let sealedFlag: UInt8 = 0x10
    /// Bytes of the check at the end of a payload.
    static let checkBytes = 4

    /// The level that follows `level`: one up for bit 1, two up for bit 0, round three levels. So no level
    /// follows itself.
    @inline(__always)
    static func level(after level: UInt8, bit: UInt8) -> UInt8 {
        let next = level + 2 - bit
        return next >= 3 ? next - 3 : next
    }
}
