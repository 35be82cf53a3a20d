/// The bits of a consent string in base64url.
struct ConsentBits {
    private let sextets: [UInt8]

    /// Decodes a string; `nil` when a character is not in base64url or there are more than 8,192.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 8_192 else { return nil }
        var sextets: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): sextets.append(byte - 65)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): sextets.append(byte - 71)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): sextets.append(byte + 4)
            case UInt8(ascii: "-"): sextets.append(62)
            case UInt8(ascii: "_"): sextets.append(63)
            default: return nil
            }
        }
        self.sextets = sextets
    }

    /// Returns `count` bits from an offset, highest first; `nil` beyond the end.
    func number(at start: Int, _ count: Int) -> Int? {
        guard start + count <= sextets.count * 6 else { return nil }
        var value = 0
        for bit in start..<(start + count) {
            let shift = UInt8(5 - bit % 6)
            value = value * 2 + Int((sextets[bit / 6] >> shift) & 1)
        }
        return value
    }
}
