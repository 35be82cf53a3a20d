@_spi(Inlay) import InlayWire
import Testing

@testable import InlayOpenRTB

@Suite struct OpenRTBRequestTests {
    static let good = """
        {"id":"1","imp":[{"id":"1","bidfloor":0.5,"banner":{"w":320,"h":50}}],
         "app":{"name":"n","bundle":"b"},"device":{"ifa":"x-1"}}
        """

    /// A part of the good request, its replacement, and the path and the reason of the fault.
    static let faults: [(String, String, String, OpenRTB.Reason)] = [
        ("\"id\":\"1\",\"imp\"", "\"imp\"", "id", .missing),
        (
            "\"imp\":[{\"id\":\"1\",\"bidfloor\":0.5,\"banner\":{\"w\":320,\"h\":50}}]", "\"imp\":[]", "imp",
            .missing
        ),
        ("{\"id\":\"1\",\"bidfloor\"", "{\"bidfloor\"", "imp[0].id", .missing),
        ("\"banner\":{\"w\":320,\"h\":50}", "\"exp\":1", "imp[0]", .missing),
        ("0.5", "-0.5", "imp[0].bidfloor", .outOfRange), ("0.5", "\"x\"", "imp[0].bidfloor", .wrongType),
        ("0.5", "0.5,\"bidfloorcur\":\"usd\"", "imp[0].bidfloorcur", .outOfRange),
        ("0.5", "0.5,\"secure\":2", "imp[0].secure", .outOfRange),
        ("0.5", "0.5,\"instl\":-1", "imp[0].instl", .outOfRange),
        ("0.5", "0.5,\"exp\":0", "imp[0].exp", .outOfRange),
        ("\"w\":320,", "", "imp[0].banner", .conflict), ("320", "0", "imp[0].banner.w", .outOfRange),
        ("\"h\":50", "\"h\":50,\"pos\":9", "imp[0].banner.pos", .outOfRange),
        ("\"h\":50", "\"h\":50,\"format\":[{}]", "imp[0].banner.format[0]", .missing),
        (
            "\"h\":50", "\"h\":50,\"format\":[{\"w\":1,\"h\":1,\"wratio\":1}]", "imp[0].banner.format[0]",
            .conflict
        ),
        ("\"banner\"", "\"video\":{},\"banner\"", "imp[0].video.mimes", .missing),
        (
            "\"banner\"", "\"video\":{\"mimes\":[\"a\"],\"minduration\":9,\"maxduration\":5},\"banner\"",
            "imp[0].video.minduration", .conflict
        ),
        (
            "\"banner\"", "\"video\":{\"mimes\":[\"a\"],\"rqddurs\":[5],\"maxduration\":5},\"banner\"",
            "imp[0].video.rqddurs", .conflict
        ),
        (
            "\"banner\"", "\"video\":{\"mimes\":[\"a\"],\"linearity\":3},\"banner\"",
            "imp[0].video.linearity", .outOfRange
        ),
        (
            "\"banner\"", "\"pmp\":{\"deals\":[{\"id\":\"d\"},{\"id\":\"d\"},{}]},\"banner\"",
            "imp[0].pmp.deals[1].id", .duplicate
        ),
        ("\"app\"", "\"site\":{},\"app\"", "site", .notAllowed),
        ("\"app\"", "\"dooh\":{\"id\":\"x\"},\"app\"", "dooh", .notAllowed),
        ("\"app\":{\"name\":\"n\",\"bundle\":\"b\"},", "", "app", .missing),
        ("\"name\":\"n\",", "", "app.name", .missing), (",\"bundle\":\"b\"", "", "app.bundle", .missing),
        (
            "\"bundle\":\"b\"", "\"bundle\":\"b\",\"storeurl\":\"ftp://x\"", "app.storeurl", .outOfRange
        ),
        ("x-1", "0000-00", "device.ifa", .missing),
        ("\"x-1\"", "\"x-1\",\"lmt\":1", "device.ifa", .conflict),
        ("\"x-1\"", "\"x-1\",\"lmt\":3", "device.lmt", .outOfRange),
        ("\"x-1\"", "\"x-1\",\"macsha1\":\"m\"", "device.macsha1", .notAllowed),
        ("\"x-1\"", "\"x-1\",\"geo\":{\"lat\":91,\"lon\":1}", "device.geo.lat", .outOfRange),
        ("\"x-1\"", "\"x-1\",\"geo\":{\"lat\":1}", "device.geo", .conflict),
        ("\"x-1\"", "\"x-1\",\"geo\":{\"accuracy\":-1}", "device.geo.accuracy", .outOfRange),
        ("\"x-1\"", "\"x-1\",\"geo\":{\"country\":\"DE\"}", "device.geo.country", .outOfRange),
        ("\"device\"", "\"at\":9,\"device\"", "at", .outOfRange),
        ("\"device\"", "\"tmax\":0,\"device\"", "tmax", .outOfRange),
        ("\"device\"", "\"test\":2,\"device\"", "test", .outOfRange),
        ("\"device\"", "\"cur\":[\"USD\",\"Euro\"],\"device\"", "cur[1]", .outOfRange),
        ("\"device\"", "\"wseat\":[\"a\"],\"bseat\":[\"b\"],\"device\"", "wseat", .conflict),
        ("\"device\"", "\"acat\":[\"a\"],\"bcat\":[\"b\"],\"device\"", "acat", .conflict),
        ("\"device\"", "\"wlang\":[\"a\"],\"wlangb\":[\"b\"],\"device\"", "wlang", .conflict),
        ("\"device\"", "\"regs\":{\"coppa\":5},\"device\"", "regs.coppa", .outOfRange),
        ("\"device\"", "\"regs\":{\"us_privacy\":\"1YN\"},\"device\"", "regs.us_privacy", .outOfRange),
        ("\"device\"", "\"user\":{\"yob\":12},\"device\"", "user.yob", .outOfRange),
        (
            "\"device\"",
            "\"source\":{\"schain\":{\"complete\":1,\"ver\":\"1.0\",\"nodes\":[{\"asi\":\"a\"}]}},\"device\"",
            "source.schain.nodes[0].sid", .missing
        ),
        (
            "\"device\"", "\"source\":{\"schain\":{\"complete\":1,\"ver\":\"1.0\"}},\"device\"",
            "source.schain.nodes", .missing
        ),
    ]

    @Test func `a request without faults has none`() throws {
        #expect(OpenRTB.RequestCheck.faults(try RTBDocument(reading: Array(Self.good.utf8))) == [])
    }

    @Test(arguments: faults.indices)
    func `a fault is reported with its path and its reason`(_ index: Int) throws {
        let (part, other, path, reason) = Self.faults[index]
        #expect(Self.good.contains(part))
        let text = Self.good.replacing(part, with: other, maxReplacements: 1)
        let faults = OpenRTB.RequestCheck.faults(try RTBDocument(reading: Array(text.utf8)))
        #expect(
            faults.contains { $0.path == path && $0.reason == reason }, "\(faults.map(\.description))")
    }

    @Test func `two impressions with one id are a fault of the second`() throws {
        let text = Self.good.replacing("\"imp\":[", with: "\"imp\":[{\"id\":\"1\",\"banner\":{}},")
        let faults = OpenRTB.RequestCheck.faults(try RTBDocument(reading: Array(text.utf8)))
        #expect(faults.map(\.path) == ["imp[1].id"] && faults.map(\.reason) == [.duplicate])
    }
}
