/// The layout of a United States section of GPP, with the offsets of the opt-outs that concern ads.
///
/// The layouts are IAB Tech Lab's, `Sections/US-National` and `Sections/US-States` of the Global Privacy Platform.
struct USSection: Sendable {
    /// The section's id.
    let id: Int
    /// The offsets of the opt-outs of sale, sharing and targeted advertising. Each has two bits; 1 means "opted out".
    let optOuts: [Int]
    /// Whether a second subsection may contain the Global Privacy Control.
    let hasGPC: Bool

    /// Returns whether the section opts out or cannot be read.
    func isOptedOut(_ text: Substring) -> Bool {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map { ConsentBits($0) }
        // In the specification, sections from Maryland's on have a header that starts with their id; the reference
        // encoder leaves it out. A core starts with a version, which is less than any of these ids.
        if id >= Self.firstWithHeader, parts.first??.number(at: 0, 6) == id { parts.removeFirst() }
        // 0 is "not applicable", 2 "did not opt out". 1 is the opt-out, and 3 has no meaning.
        guard let core = parts.first ?? nil, core.number(at: 0, 6).map({ versions.contains($0) }) == true,
            optOuts.allSatisfy({ [0, 2].contains(core.number(at: $0, 2)) })
        else { return true }
        return parts.dropFirst().contains { isOptedOut(subsection: $0) }
    }

    /// Returns whether a further subsection turns on the Global Privacy Control (type 1, one bit) or cannot be read.
    private func isOptedOut(subsection bits: ConsentBits?) -> Bool {
        guard let type = bits?.number(at: 0, 2) else { return true }
        return hasGPC && type == 1 && bits?.number(at: 2, 1) != 0
    }

    /// The versions with this layout. Version 2 of the national section only adds fields after the opt-outs.
    private var versions: ClosedRange<Int> { 1...(id == 7 ? 2 : 1) }

    private static let firstWithHeader = 24

    /// The sections by their ids.
    static let all: [Int: USSection] = Dictionary(
        uniqueKeysWithValues: layouts.flatMap { ids, optOuts, hasGPC in
            ids.map { ($0, USSection(id: $0, optOuts: optOuts, hasGPC: hasGPC)) }
        })

    /// A section has a version (6 bits), notices of 2 bits each, then the opt-outs.
    private static let layouts: [(ids: [Int], optOuts: [Int], hasGPC: Bool)] = [
        // National: sale, sharing, targeted advertising after six notices.
        ([7], [18, 20, 22], true),
        // California: sale and sharing after three notices.
        ([8], [12, 14], true),
        // Virginia, Florida: sale and targeted advertising after three notices.
        ([9, 13], [12, 14], false),
        // Colorado, Connecticut, Montana, Oregon, Texas, Delaware, Nebraska, New Hampshire, New Jersey, Tennessee,
        // Minnesota: the same, with the Global Privacy Control.
        ([10, 12, 14, 15, 16, 17, 19, 20, 21, 22, 23], [12, 14], true),
        // Utah, and Iowa with the Global Privacy Control: sale and targeted advertising after four notices.
        ([11], [14, 16], false),
        ([18], [14, 16], true),
        // Maryland: the same after the version, transaction and mode of the MSPA, and three notices.
        ([24], [16, 18], true),
        // Indiana, Kentucky, Rhode Island: the same; their further subsection is about sensitive data.
        ([25, 26, 27], [16, 18], false),
    ]
}
