/// A TCF 2 string: what the user agreed to, for which purposes and which vendors.
struct TCFString: Sendable {
    /// What a publisher may do to a purpose of a vendor.
    private enum Restriction: Int {
        case notAllowed = 0, requiresConsent = 1, requiresInterest = 2
    }

    /// Vendors, as the bits or ranges of a string name them.
    private struct Vendors: Sendable {
        var ranges: [ClosedRange<Int>] = []

        func contains(_ vendor: Int) -> Bool { ranges.contains { $0.contains(vendor) } }
    }

    private struct RestrictedPurpose: Sendable {
        let purpose: Int
        let restriction: Restriction
        let vendors: Vendors
    }

    private let bits: ConsentBits
    private let consented: Vendors
    private let interested: Vendors
    private var restricted: [RestrictedPurpose] = []
    /// The vendors that the user was told of; `nil` in strings from before TCF 2.3.
    private let disclosed: Vendors?

    /// `nil` when it is no string of version 2. What its end cuts off counts as not agreed to.
    init?(_ text: String) {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let core = segments.first, let bits = ConsentBits(core), bits.number(at: 0, 6) == 2,
            bits.number(at: 152, 24) != nil
        else { return nil }
        self.bits = bits
        var place = 213
        consented = Self.vendors(bits, &place) ?? Vendors()
        interested = Self.vendors(bits, &place) ?? Vendors()
        disclosed = segments.dropFirst().lazy.compactMap { Self.disclosed($0) }.first
        restricted = Self.restrictions(bits, &place)
    }

    /// Whether the user agreed to a purpose, 1 to 24, whoever pursues it.
    func allows(purpose: Int) -> Bool { bits.number(at: 151 + purpose, 1) == 1 }

    /// Whether a vendor may pursue a purpose with the user's consent.
    func allows(purpose: Int, vendor: Int) -> Bool {
        allows(purpose: purpose) && consented.contains(vendor)
            && !isRestricted(purpose, vendor, by: [.notAllowed, .requiresInterest])
    }

    /// Whether a vendor may pursue a purpose with the user's consent or in its legitimate interest.
    ///
    /// Purpose 1 needs consent, and since TCF 2.2 (policy version 4) the purposes 3 to 6 do.
    func hasBasis(purpose: Int, vendor: Int) -> Bool {
        if allows(purpose: purpose, vendor: vendor) { return true }
        let isProfile = (3...6).contains(purpose) && (bits.number(at: 132, 6) ?? 0) >= 4
        return purpose != 1 && !isProfile && bits.number(at: 175 + purpose, 1) == 1
            && interested.contains(vendor) && disclosed?.contains(vendor) ?? true
            && !isRestricted(purpose, vendor, by: [.notAllowed, .requiresConsent])
    }

    /// Whether the user agreed to the use of the exact place, the first special feature.
    var allowsExactPlace: Bool { bits.number(at: 140, 1) == 1 }

    private func isRestricted(_ purpose: Int, _ vendor: Int, by kinds: Set<Restriction>) -> Bool {
        restricted.contains {
            $0.purpose == purpose && kinds.contains($0.restriction) && $0.vendors.contains(vendor)
        }
    }

    // MARK: Reading

    /// The largest id, then a bit for each or ranges.
    private static func vendors(_ bits: ConsentBits, _ place: inout Int) -> Vendors? {
        guard let last = bits.number(at: place, 16), let isRanges = bits.number(at: place + 16, 1) else {
            return nil
        }
        place += 17
        if isRanges == 1 { return ranges(bits, &place) }
        var vendors = Vendors()
        for vendor in 0..<last {
            guard let bit = bits.number(at: place + vendor, 1) else { return nil }
            if bit == 1 { vendors.ranges.append((vendor + 1)...(vendor + 1)) }
        }
        place += last
        return vendors
    }

    private static func ranges(_ bits: ConsentBits, _ place: inout Int) -> Vendors? {
        guard let count = bits.number(at: place, 12) else { return nil }
        place += 12
        var vendors = Vendors()
        for _ in 0..<count {
            guard let isRange = bits.number(at: place, 1), let first = bits.number(at: place + 1, 16) else {
                return nil
            }
            place += 17
            guard isRange == 1 else {
                vendors.ranges.append(first...first)
                continue
            }
            guard let last = bits.number(at: place, 16) else { return nil }
            place += 16
            if last >= first { vendors.ranges.append(first...last) }
        }
        return vendors
    }

    private static func restrictions(_ bits: ConsentBits, _ place: inout Int) -> [RestrictedPurpose] {
        guard let count = bits.number(at: place, 12) else { return [] }
        place += 12
        var found: [RestrictedPurpose] = []
        for _ in 0..<count {
            guard let purpose = bits.number(at: place, 6), let kind = bits.number(at: place + 6, 2) else {
                return found
            }
            place += 8
            guard let vendors = ranges(bits, &place) else { return found }
            if let restriction = Restriction(rawValue: kind) {
                found.append(.init(purpose: purpose, restriction: restriction, vendors: vendors))
            }
        }
        return found
    }

    /// Segment type 1 names the vendors that were disclosed.
    private static func disclosed(_ segment: Substring) -> Vendors? {
        guard let bits = ConsentBits(segment), bits.number(at: 0, 3) == 1 else { return nil }
        var place = 3
        return vendors(bits, &place) ?? Vendors()
    }
}
