import InlayWire

/// Ids of what the server makes: UUIDv7, so that they sort by the moment they were made.
enum CardID {
    /// A UUIDv7 of this moment.
    static func make(at moment: Timestamp) -> String {
        let milliseconds = UInt64(clamping: moment.microseconds / 1_000) & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        return format(high, low)
    }

    /// The same behind a prefix that tells a person what it is the id of, for example `tpl_`.
    static func make(_ prefix: String, at moment: Timestamp) -> String {
        prefix + "_" + make(at: moment).filter { $0 != "-" }
    }

    private static func format(_ high: UInt64, _ low: UInt64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (word, isFirst) in [(high, true), (low, false)] {
            for nibble in 0..<16 {
                if (isFirst && (nibble == 8 || nibble == 12)) || (!isFirst && (nibble == 0 || nibble == 4)) {
                    text.append(UInt8(ascii: "-"))
                }
                text.append(digits[Int(word >> UInt64(60 - nibble * 4) & 15)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
