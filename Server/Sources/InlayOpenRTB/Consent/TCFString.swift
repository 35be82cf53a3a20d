/// A TCF 2 string: the user's consent by purpose and vendor.
struct TCFString: Sendable {
    /// A publisher's restriction of a purpose for a vendor.
    private enum Restriction: Int {
        case notAllowed = 0, requiresConsent = 1, requiresInterest = 2
    }

    /// A set of vendors, from a bit field or ranges.
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
    private let restricted: [RestrictedPurpose]
    /// The vendors that were disclosed to the user; `nil` in strings before TCF 2.3.
    private let disclosed: Vendors?

    /// The type of the segment with the disclosed vendors.
    private static let disclosedVendors = 1

    /// Parses a string; `nil` when it is not of version 2, or a part of it is cut off or cannot be read.
    ///
    /// A part that is missing could contain restrictions, so an incomplete string is no consent.
    init?(_ text: String) {
        let segments = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let core = segments.first, let bits = ConsentBits(core), bits.number(at: 0, 6) == 2 else {
            return nil
        }
        var offset = 213
        guard let consented = Self.vendors(bits, &offset), let interested = Self.vendors(bits, &offset),
            let restricted = Self.restrictions(bits, &offset)
        else { return nil }
        (self.bits, self.consented, self.interested, self.restricted) = (
            bits, consented, interested, restricted
        )
        var disclosed: Vendors?
        for segment in segments.dropFirst() {
            guard let bits = ConsentBits(segment), let type = bits.number(at: 0, 3) else { return nil }
            guard type == Self.disclosedVendors, disclosed == nil else { continue }
            var offset = 3
            guard let vendors = Self.vendors(bits, &offset) else { return nil }
            disclosed = vendors
        }
        self.disclosed = disclosed
    }

    /// Returns whether the user agreed to a purpose, 1 to 24, for any vendor.
    func allows(purpose: Int) -> Bool { bits.number(at: 151 + purpose, 1) == 1 }

    /// Returns whether a vendor has the user's consent for a purpose.
    func allows(purpose: Int, vendor: Int) -> Bool {
        allows(purpose: purpose) && consented.contains(vendor)
            && !isRestricted(purpose, vendor, by: [.notAllowed, .requiresInterest])
    }

    /// Returns whether a vendor has consent or legitimate interest for a purpose.
    ///
    /// Purpose 1 needs consent, and since TCF 2.2 (policy version 4) the purposes 3 to 6 do.
    func hasBasis(purpose: Int, vendor: Int) -> Bool {
        if allows(purpose: purpose, vendor: vendor) { return true }
        let isProfile = (3...6).contains(purpose) && (bits.number(at: 132, 6) ?? 0) >= 4
        return purpose != 1 && !isProfile && bits.number(at: 175 + purpose, 1) == 1
            && interested.contains(vendor) && disclosed?.contains(vendor) ?? true
            && !isRestricted(purpose, vendor, by: [.notAllowed, .requiresConsent])
    }

    /// Whether the user agreed to the use of precise geolocation data, special feature 1.
    var allowsPreciseLocation: Bool { bits.number(at: 140, 1) == 1 }

    private func isRestricted(_ purpose: Int, _ vendor: Int, by kinds: Set<Restriction>) -> Bool {
        restricted.contains {
            $0.purpose == purpose && kinds.contains($0.restriction) && $0.vendors.contains(vendor)
        }
    }

    // MARK: Parsing

    /// Reads a vendor list: the maximum id, then a bit field or ranges.
    private static func vendors(_ bits: ConsentBits, _ offset: inout Int) -> Vendors? {
        guard let last = bits.number(at: offset, 16), let isRanges = bits.number(at: offset + 16, 1) else {
            return nil
        }
        offset += 17
        if isRanges == 1 { return ranges(bits, &offset) }
        var vendors = Vendors()
        for vendor in 0..<last {
            guard let bit = bits.number(at: offset + vendor, 1) else { return nil }
            if bit == 1 { vendors.ranges.append((vendor + 1)...(vendor + 1)) }
        }
        offset += last
        return vendors
    }

    private static func ranges(_ bits: ConsentBits, _ offset: inout Int) -> Vendors? {
        guard let count = bits.number(at: offset, 12) else { return nil }
        offset += 12
        var vendors = Vendors()
        for _ in 0..<count {
            guard let isRange = bits.number(at: offset, 1), let first = bits.number(at: offset + 1, 16) else {
                return nil
            }
            offset += 17
            guard isRange == 1 else {
                vendors.ranges.append(first...first)
                continue
            }
            guard let last = bits.number(at: offset, 16) else { return nil }
            offset += 16
            guard last >= first else { return nil }
            vendors.ranges.append(first...last)
        }
        return vendors
    }

    private static func restrictions(_ bits: ConsentBits, _ offset: inout Int) -> [RestrictedPurpose]? {
        guard let count = bits.number(at: offset, 12) else { return nil }
        offset += 12
        var found: [RestrictedPurpose] = []
        for _ in 0..<count {
            guard let purpose = bits.number(at: offset, 6),
                let restriction = bits.number(at: offset + 6, 2).flatMap(Restriction.init)
            else { return nil }
            offset += 8
            guard let vendors = ranges(bits, &offset) else { return nil }
            found.append(.init(purpose: purpose, restriction: restriction, vendors: vendors))
        }
        return found
    }
}
