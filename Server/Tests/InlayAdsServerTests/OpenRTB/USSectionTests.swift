import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite(.timeLimit(.minutes(3))) struct USSectionTests {
    /// A section as its specification lists it: the fields of its core up to the last opt-out.
    struct Section: Sendable, CustomStringConvertible {
        let id: Int
        let name: String
        let fields: [(name: String, width: Int)]
        var hasGPC = false

        var description: String { name }

        init(_ id: Int, _ name: String, _ fields: String, gpc: Bool = false) {
            (self.id, self.name, hasGPC) = (id, name, gpc)
            self.fields = fields.split(separator: " ").map { (String($0), $0.hasSuffix("Version") ? 6 : 2) }
        }

        /// Returns the core with these fields at 1 (opted out), the others at 2, and 40 further bits.
        func core(optedOut: Set<String>) -> String {
            let bits = fields.flatMap { field in
                OpenRTBBuildTests.bits(
                    field.width == 6 ? 1 : optedOut.contains(field.name) ? 1 : 2, field.width)
            }
            return OpenRTBBuildTests.base64url(bits + OpenRTBBuildTests.bits(0, 40))
        }

        var optOuts: [String] { fields.map(\.name).filter { $0.hasSuffix("OptOut") } }
    }

    private static let usual =
        "Version ProcessingNotice SaleOptOutNotice TargetedAdvertisingOptOutNotice SaleOptOut TargetedAdvertisingOptOut"
    private static let withSensitiveData =
        "Version ProcessingNotice SaleOptOutNotice TargetedAdvertisingOptOutNotice SensitiveDataOptOutNotice SaleOptOut "
        + "TargetedAdvertisingOptOut"
    private static let mspa =
        "MspaVersion MspaCoveredTransaction MspaMode ProcessingNotice SaleOptOutNotice TargetedAdvertisingOptOutNotice "
        + "SaleOptOut TargetedAdvertisingOptOut"

    static let sections: [Section] = [
        Section(
            7, "usnat",
            "Version SharingNotice SaleOptOutNotice SharingOptOutNotice TargetedAdvertisingOptOutNotice "
                + "SensitiveDataProcessingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut "
                + "TargetedAdvertisingOptOut", gpc: true),
        Section(
            8, "usca",
            "Version SaleOptOutNotice SharingOptOutNotice SensitiveDataLimitUseNotice SaleOptOut SharingOptOut",
            gpc: true),
        Section(9, "usva", usual), Section(10, "usco", usual, gpc: true),
        Section(11, "usut", withSensitiveData),
        Section(12, "usct", usual, gpc: true), Section(13, "usfl", usual),
        Section(14, "usmt", usual, gpc: true),
        Section(15, "usor", usual, gpc: true), Section(16, "ustx", usual, gpc: true),
        Section(17, "usde", usual, gpc: true), Section(18, "usia", withSensitiveData, gpc: true),
        Section(19, "usne", usual, gpc: true), Section(20, "usnh", usual, gpc: true),
        Section(21, "usnj", usual, gpc: true), Section(22, "ustn", usual, gpc: true),
        Section(23, "usmn", usual, gpc: true), Section(24, "usmd", mspa, gpc: true),
        Section(25, "usin", mspa),
        Section(26, "usky", mspa), Section(27, "usri", mspa),
    ]

    /// Returns a GPP string of these sections, which must be in the order of their ids.
    static func gpp(_ sections: (id: Int, text: String)...) -> String {
        var last = 0
        let ids = sections.flatMap { section -> [Int] in
            defer { last = section.id }
            return [0] + fibonacci(section.id - last)
        }
        let header = OpenRTBBuildTests.base64url(
            OpenRTBBuildTests.bits(3, 6) + OpenRTBBuildTests.bits(1, 6)
                + OpenRTBBuildTests.bits(sections.count, 12) + ids)
        return ([header] + sections.map(\.text)).joined(separator: "~")
    }

    /// Returns the Fibonacci code of a number, with the 1 that ends it.
    private static func fibonacci(_ number: Int) -> [Int] {
        var terms = [1, 2]
        while terms.last ?? 0 <= number { terms.append(terms.suffix(2).reduce(0, +)) }
        var (rest, code) = (number, [Int]())
        for term in terms.filter({ $0 <= number }).reversed() {
            code.insert(rest >= term ? 1 : 0, at: 0)
            if rest >= term { rest -= term }
        }
        return code + [1]
    }

    /// Returns whether the bid request has the identifiers and the exact location.
    private func travels(_ gpp: String?, sections: [Int]?) -> Bool {
        let consent = AdConsent(gpp: gpp, gppSids: sections)
        let device = OpenRTBSamples.request(consent: consent, vendorID: 755).device
        let hasID = device?.advertisingID != nil
        #expect(device?.limitsTracking == (hasID ? 0 : 1))
        #expect(device?.ip == (hasID ? "203.0.113.77" : "203.0.113.0"))
        #expect((device?.geo?.accuracyMeters != nil) == hasID)
        return hasID
    }

    /// Returns a string of the section and a US Privacy section without an opt-out, which is the one in force.
    private static func beside(text: String, of id: Int) -> String { gpp((6, "1YNN"), (id, text)) }

    @Test(arguments: sections)
    func `an opt-out of an American section strips identifiers, a consent does not`(_ section: Section) {
        let consent = Self.gpp((section.id, section.core(optedOut: [])))
        #expect(travels(consent, sections: [section.id]))
        #expect(section.optOuts.count >= 2)
        for field in section.optOuts {
            let text = Self.gpp((section.id, section.core(optedOut: [field])))
            #expect(!travels(text, sections: [section.id]), "\(field)")
            #expect(!travels(text, sections: nil), "no section is named: the string's own hold")
            #expect(
                travels(Self.beside(text: section.core(optedOut: [field]), of: section.id), sections: [6]))
        }
        #expect(travels(consent + ".QA", sections: [section.id]), "subsection 1, GPC off")
        #expect(travels(consent + ".YA", sections: [section.id]) == !section.hasGPC, "GPC on")
        #expect(!travels(Self.gpp((section.id, "B")), sections: [section.id]), "unreadable")
    }

    @Test func `the sections with a header of their own are read with and without it`() {
        // The reference encoder's strings with every opt-out: Maryland; Indiana, Kentucky, Rhode Island.
        for (id, core, consent) in [
            (24, "BVVU.YA", "BQAA.QA"), (25, "BVVV.kkk", "BQAA.AAA"), (26, "BVVV.kkk", "BQAA"),
            (27, "BVVV.kkk", "BQAA"),
        ] {
            #expect(
                !travels(Self.gpp((id, core)), sections: [id])
                    && travels(Self.gpp((id, consent)), sections: [id])
            )
            let header = OpenRTBBuildTests.base64url(
                OpenRTBBuildTests.bits(id, 6) + OpenRTBBuildTests.bits(1, 6) + OpenRTBBuildTests.bits(0, 12))
            #expect(!travels(Self.gpp((id, "\(header).\(core)")), sections: [id]))
            #expect(travels(Self.gpp((id, "\(header).\(consent)")), sections: [id]))
        }
    }

    @Test func `a US Privacy string with a no to sale strips identifiers`() {
        for text in ["1YYN", "1NYN", "1-Y-", "1yyn"] {
            #expect(!travels(Self.gpp((6, text)), sections: [6]), "\(text)")
        }
        for text in ["1YNN", "1NNN", "1---", "1YN-"] {
            #expect(travels(Self.gpp((6, text)), sections: [6]), "\(text)")
        }
        for text in ["", "1Y", "2YNN", "1YXN"] {
            #expect(!travels(Self.gpp((6, text)), sections: [6]), "\(text)")
        }
    }

    // MARK: Unreadable strings

    private static let consenting = sections[0].core(optedOut: [])

    @Test(arguments: [[7], [2, 7], [6], [5], [0], [28], [99], [-2], [3], [7, -1]])
    func `a section that the app names and that is not there counts as an opt-out`(_ named: [Int]) {
        for gpp in [nil, "", "DBAA", "garbage"] {
            #expect(!travels(gpp, sections: named), "\(gpp ?? "none")")
        }
        #expect(!travels(Self.gpp((8, Self.sections[1].core(optedOut: []))), sections: named))
    }

    @Test func `no section is in force if the app names -1, and an empty list names no section`() {
        #expect(
            travels(nil, sections: [-1]) && travels("", sections: [-1]) && travels("DBAA", sections: [-1]))
        let optOut = Self.gpp((7, Self.sections[0].core(optedOut: ["SaleOptOut"])))
        #expect(travels(optOut, sections: [-1]) && !travels(optOut, sections: [-1, 7]))
        #expect(!travels(optOut, sections: []))
        for sections in [nil, []] as [[Int]?] {
            #expect(travels(nil, sections: sections) && travels("", sections: sections))
            #expect(travels("DBAA", sections: sections), "a header alone")
        }
    }

    @Test func `a section without a layout counts as an opt-out where no section is named`() {
        #expect(!travels(Self.gpp((5, "AAAA")), sections: nil), "Canada")
        #expect(!travels(Self.gpp((28, Self.consenting)), sections: []), "a state of tomorrow")
        #expect(travels(Self.gpp((7, Self.consenting), (28, "A")), sections: [7]), "it is not in force")
    }

    @Test(arguments: [nil, [], [7], [-1]] as [[Int]?])
    func `an unreadable GPP string strips identifiers, whichever sections the app names`(_ named: [Int]?) {
        let good = Self.gpp((7, Self.consenting))
        let header = good.prefix { $0 != "~" }
        let section = Self.consenting
        let unreadable: [String] = [
            "garbage", " ", "?", "~", "\(header)", "\(header.dropLast(2))~\(section)", "\(good)~x",
            "=\(good)",
            "\(header)=~\(section)", "E\(good.dropFirst())", "DC\(good.dropFirst(2))", "\(good.dropFirst(3))",
        ]
        // Another version, 127 sections, and 100 KB of one letter.
        let long = [
            "DP__~x", "DBB_" + String(repeating: "~x", count: 127), String(repeating: "~", count: 100_000),
            String(repeating: "D", count: 100_000),
        ]
        for text in unreadable + long { #expect(!travels(text, sections: named), "\(text.prefix(40))") }
        #expect(travels(good, sections: named))
    }

    @Test func `a section that is cut off, too long, of another version or of other letters is an opt-out`() {
        let core = Self.consenting
        let unreadable: [String] = [
            "", ".", "\(core.prefix(3))", "\(core).", "\(core).QA.", "\(core).?", "=\(core)", "\(core)=",
            "A\(core.dropFirst())", "D\(core.dropFirst())",
        ]
        let long = [String(repeating: "B", count: 100_000), core + String(repeating: "A", count: 100_000)]
        for text in unreadable + long {
            #expect(!travels(Self.gpp((7, text)), sections: [7]), "\(text.prefix(40))")
        }
        #expect(travels(Self.gpp((7, "C\(core.dropFirst())")), sections: [7]), "the second version of usnat")
        let state = Self.sections[2].core(optedOut: [])
        #expect(travels(Self.gpp((9, state)), sections: [9]))
        #expect(
            !travels(Self.gpp((9, "C\(state.dropFirst())")), sections: [9]), "there is no second one of usva")
    }
}
