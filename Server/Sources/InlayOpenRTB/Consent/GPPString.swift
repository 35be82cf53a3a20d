/// A string of the Global Privacy Platform: a header and sections.
struct GPPString {
    /// The section with the TCF string of the EU, which ``TCFString`` reads.
    static let europe = 2
    /// The section of the US Privacy string.
    private static let usPrivacy = 6

    private let sections: [Int: Substring]

    /// Parses a string; an empty one has no sections.
    ///
    /// `nil` when the header cannot be read, is of another version than 1, or announces other sections than follow.
    init?(_ text: String) {
        guard !text.isEmpty else {
            sections = [:]
            return
        }
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard let header = ConsentBits(parts[0]), let ids = Self.ids(header), ids.count == parts.count - 1
        else { return nil }
        sections = Dictionary(zip(ids, parts.dropFirst())) { first, _ in first }
    }

    /// Returns the text of a section.
    func section(_ id: Int) -> Substring? { sections[id] }

    /// The ids of the sections, in ascending order.
    var sectionIDs: [Int] { sections.keys.sorted() }

    /// Returns whether one of these sections opts out of sale, sharing or targeted advertising.
    ///
    /// The sections of the United States are read (6 to 27). A section that is missing, cannot be read or has no layout
    /// here counts as an opt-out. Section 2 does not, because ``TCFString`` reads it.
    func isOptedOut(sections ids: [Int]) -> Bool {
        ids.contains { id in
            id != Self.europe && (sections[id].map { Self.isOptedOut($0, of: id) } ?? true)
        }
    }

    private static func isOptedOut(_ text: Substring, of id: Int) -> Bool {
        id == usPrivacy ? isOptedOut(usPrivacy: text) : USSection.all[id]?.isOptedOut(text) ?? true
    }

    /// Reads a US Privacy string such as `1YNN`: version, notice, opt-out of sale, Limited Service Provider Agreement.
    private static func isOptedOut(usPrivacy text: Substring) -> Bool {
        let letters = Array(text.uppercased())
        guard letters.count == 4, letters[0] == "1", letters.dropFirst().allSatisfy({ "YN-".contains($0) })
        else { return true }
        return letters[2] == "Y"
    }

    /// Reads the ids from a header: type 3 and version 1, six bits each, then single ids and ranges as Fibonacci-coded
    /// differences. Returns `nil` for anything else.
    private static func ids(_ bits: ConsentBits) -> [Int]? {
        guard bits.number(at: 0, 6) == 3, bits.number(at: 6, 6) == 1, let count = bits.number(at: 12, 12),
            count <= 32
        else { return nil }
        var offset = 24
        var last = 0
        var ids: [Int] = []
        for _ in 0..<count {
            guard let isRange = bits.number(at: offset, 1) else { return nil }
            offset += 1
            guard let start = fibonacci(bits, &offset) else { return nil }
            let first = last + start
            var end = first
            if isRange == 1 {
                guard let length = fibonacci(bits, &offset), length <= 64 else { return nil }
                end = first + length
            }
            ids.append(contentsOf: first...end)
            last = end
        }
        return ids
    }

    private static func fibonacci(_ bits: ConsentBits, _ offset: inout Int) -> Int? {
        var (value, low, high, before) = (0, 1, 2, 0)
        for _ in 0..<20 {
            guard let bit = bits.number(at: offset, 1) else { return nil }
            offset += 1
            if bit == 1, before == 1 { return value }
            if bit == 1 { value += low }
            before = bit
            (low, high) = (high, low + high)
        }
        return nil
    }
}
