/// A string of the Global Privacy Platform: a header and sections.
struct GPPString {
    private let sections: [Int: Substring]

    /// Parses a string; one that cannot be read has no sections.
    init(_ text: String) {
        let parts = text.prefix(8192).split(separator: "~", omittingEmptySubsequences: false)
        let ids = parts.first.flatMap { ConsentBits($0) }.map(Self.ids) ?? []
        sections = Dictionary(zip(ids, parts.dropFirst())) { first, _ in first }
    }

    /// Returns the text of a section.
    func section(_ id: Int) -> Substring? { sections[id] }

    /// The ids of its sections.
    var sectionIDs: [Int] { sections.keys.sorted() }

    /// Returns whether one of these sections, or of all when none is named, opts out of sale, sharing or targeted
    /// advertising.
    ///
    /// The sections of the United States are read (6 to 27). One that cannot be read counts as an opt-out.
    func isOptedOut(sections named: [Int]) -> Bool {
        (named.isEmpty ? sectionIDs : named).contains { id in
            guard let text = sections[id] else { return false }
            return id == 6 ? Self.isOptedOut(usPrivacy: text) : USSection.all[id]?.isOptedOut(text) ?? false
        }
    }

    /// `1YNN`: version, notice, opt-out of sale, Limited Service Provider Agreement.
    private static func isOptedOut(usPrivacy text: Substring) -> Bool {
        let letters = Array(text.uppercased())
        guard letters.count == 4, letters[0] == "1", letters.dropFirst().allSatisfy({ "YN-".contains($0) })
        else { return true }
        return letters[2] == "Y"
    }

    // Type 3 and version 1, six bits each, then ids as runs of Fibonacci-coded differences.
    private static func ids(_ bits: ConsentBits) -> [Int] {
        guard bits.number(at: 0, 6) == 3, let count = bits.number(at: 12, 12), count <= 32 else { return [] }
        var offset = 24
        var last = 0
        var ids: [Int] = []
        for _ in 0..<count {
            guard let isRange = bits.number(at: offset, 1) else { return ids }
            offset += 1
            guard let start = fibonacci(bits, &offset) else { return ids }
            let first = last + start
            var end = first
            if isRange == 1 {
                guard let length = fibonacci(bits, &offset), length <= 64 else { return ids }
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
