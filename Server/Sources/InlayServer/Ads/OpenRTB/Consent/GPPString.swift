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

    /// The ids of its sections.
    var sectionIDs: [Int] { sections.keys.sorted() }

    /// Whether one of these sections, or of all where none is named, says no to sale, sharing or targeted advertising.
    ///
    /// The sections for the United States are read (6 to 27). One that is there and cannot be read counts as a no.
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
