/// The bits of a consent string, as base64url holds them.
struct ConsentBits {
    private let sextets: [UInt8]

    /// `nil` when a character is none of base64url, or there are more than 4,096.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 4096 else { return nil }
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

    /// `count` bits from a place, highest first; `nil` behind the end.
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

/// The part of a TCF 2 string that we need: what the user agreed to, not for which vendor.
struct TCFString {
    private let bits: ConsentBits

    /// `nil` when it is no string of version 2.
    init?(_ text: String) {
        let core = text.prefix { $0 != "." }
        guard let bits = ConsentBits(core), bits.number(at: 0, 6) == 2, bits.number(at: 152, 24) != nil else {
            return nil
        }
        self.bits = bits
    }

    /// Whether the user agreed to a purpose, 1 to 24.
    func allows(purpose: Int) -> Bool { bits.number(at: 151 + purpose, 1) == 1 }

    /// Whether the user agreed to the use of the exact place, the first special feature.
    var allowsExactPlace: Bool { bits.number(at: 140, 1) == 1 }
}

/// A string of the Global Privacy Platform: a header and sections.
struct GPPString {
    private let sections: [Int: Substring]

    /// A string without sections when it cannot be read.
    init(_ text: String) {
        let parts = text.prefix(8192).split(separator: "~", omittingEmptySubsequences: false)
        let ids = parts.first.flatMap { ConsentBits($0) }.map(Self.ids) ?? []
        sections = Dictionary(zip(ids, parts.dropFirst())) { first, _ in first }
    }

    /// The text of a section.
    func section(_ id: Int) -> Substring? { sections[id] }

    /// Whether a section that holds says no to sale, sharing or targeted advertising.
    ///
    /// Known are the national section of the USA (7) and those of states that have its first shape (8 to 12).
    func isOptedOut(sections held: [Int]) -> Bool {
        held.contains { id in
            guard let places = Self.optOuts[id], let core = sections[id]?.prefix(while: { $0 != "." }),
                let bits = ConsentBits(core)
            else { return false }
            return places.contains { bits.number(at: $0, 2) == 1 }
        }
    }

    // Behind the version (6 bits) stand notices of 2 bits each, then the choices.
    private static let optOuts: [Int: [Int]] = [
        7: [18, 20, 22], 8: [12, 14], 9: [12, 14], 10: [12, 14], 11: [14, 16], 12: [12, 14],
    ]

    // Type 3 and version 1, six bits each, then ids as runs of Fibonacci-coded differences.
    private static func ids(_ bits: ConsentBits) -> [Int] {
        guard bits.number(at: 0, 6) == 3, let count = bits.number(at: 12, 12), count <= 32 else { return [] }
        var place = 24
        var last = 0
        var ids: [Int] = []
        for _ in 0..<count {
            guard let isRange = bits.number(at: place, 1) else { return ids }
            place += 1
            guard let start = fibonacci(bits, &place) else { return ids }
            let first = last + start
            var end = first
            if isRange == 1 {
                guard let length = fibonacci(bits, &place), length <= 64 else { return ids }
                end = first + length
            }
            ids.append(contentsOf: first...end)
            last = end
        }
        return ids
    }

    private static func fibonacci(_ bits: ConsentBits, _ place: inout Int) -> Int? {
        var (value, low, high, before) = (0, 1, 2, 0)
        for _ in 0..<20 {
            guard let bit = bits.number(at: place, 1) else { return nil }
            place += 1
            if bit == 1, before == 1 { return value }
            if bit == 1 { value += low }
            before = bit
            (low, high) = (high, low + high)
        }
        return nil
    }
}
