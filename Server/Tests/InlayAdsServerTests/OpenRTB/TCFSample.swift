/// A TCF 2 string for tests, written field by field as the specification lists them.
struct TCFSample {
    var purposes: Set<Int> = []
    var interests: Set<Int> = []
    var exactPlace = false
    var policyVersion = 4
    var vendors: [ClosedRange<Int>] = []
    var interestedVendors: [ClosedRange<Int>] = []
    /// Purpose, kind (0 not allowed, 1 consent, 2 legitimate interest), vendors.
    var restrictions: [(Int, Int, ClosedRange<Int>)] = []
    var disclosed: [ClosedRange<Int>]?
    /// Whether vendors are written as a bit field and not as ranges.
    var isBitField = false
    /// Whether each range ends before it starts, which is invalid.
    var isBackwards = false

    var text: String {
        // Version, created, updated, CMP id, CMP version, screen, language, version of the vendor list.
        var all = number(2, 6) + number(0, 36) + number(0, 36) + number(0, 12) + number(0, 12) + number(0, 6)
        all += number(0, 12) + number(0, 12) + number(policyVersion, 6) + [0, 0]
        // Special features, purposes, legitimate interests, purpose one, publisher's country.
        all += [exactPlace ? 1 : 0] + number(0, 11)
        all +=
            (1...24).map { purposes.contains($0) ? 1 : 0 } + (1...24).map { interests.contains($0) ? 1 : 0 }
        all += [0] + number(0, 12) + section(vendors) + section(interestedVendors)
        all += number(restrictions.count, 12)
        for (purpose, kind, vendors) in restrictions {
            all += number(purpose, 6) + number(kind, 2) + ranges([vendors])
        }
        let segment = disclosed.map { "." + OpenRTBBuildTests.base64url(number(1, 3) + section($0)) } ?? ""
        return OpenRTBBuildTests.base64url(all) + segment
    }

    private func number(_ value: Int, _ count: Int) -> [Int] { OpenRTBBuildTests.bits(value, count) }

    private func section(_ vendors: [ClosedRange<Int>]) -> [Int] {
        let last = vendors.map(\.upperBound).max() ?? 0
        guard isBitField else { return number(last, 16) + [1] + ranges(vendors) }
        return number(last, 16) + [0]
            + (1...max(1, last)).prefix(last).map { vendor in vendors.contains { $0.contains(vendor) } ? 1 : 0
            }
    }

    private func ranges(_ ranges: [ClosedRange<Int>]) -> [Int] {
        number(ranges.count, 12)
            + ranges.flatMap { range -> [Int] in
                if isBackwards {
                    return [1] + number(range.lowerBound, 16) + number(range.lowerBound - 1, 16)
                }
                return range.count == 1
                    ? [0] + number(range.lowerBound, 16)
                    : [1] + number(range.lowerBound, 16) + number(range.upperBound, 16)
            }
    }
}
