import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviors

@Suite struct DeepLinkMatchTests {
    private func parameters(
        _ pattern: String, _ rules: [String: DeepLinkConfiguration.Parameter], _ link: String
    ) throws -> [String: String]? {
        let route = DeepLinkConfiguration.Route(pattern: pattern, handlers: [], parameters: rules)
        return route.match(try #require(DeepLink(link)))?.parameters
    }

    private func parameters(_ pattern: String, _ link: String) throws -> [String: String]? {
        try parameters(pattern, [:], link)
    }

    static let digit = DeepLinkConfiguration.Parameter(regex: "[0-9]")

    @Test(arguments: [
        ("data", "mdldemo://data", true), ("data", "mdldemo://dataa", false),
        ("data", "mdldemo://ata", false),
        ("data", "mdldemo://dat", false), ("data", "mdldemo://data/path", false),
        ("data/path", "mdldemo://data/path", true), ("data/path", "mdldemo://data/path/", true),
        ("data/path", "mdldemo://data/path//", true), ("data/path", "mdldemo://data/pathe", false),
        ("data/path", "mdldemo://data/pat", false), ("data/path", "mdldemo://daa/path", false),
        ("data/path/:pathId", "mdldemo://data/path//", false), ("data", "mdldemo://Data", false),
        ("/path", "mdldemo://anything/path", true), ("data", "mdldemo://data?a=b#c", true),
    ])
    func `hosts and parts must be equal, empty parts do not count`(
        pattern: String, link: String, fits: Bool
    ) throws {
        #expect(try (parameters(pattern, link) != nil) == fits)
    }

    @Test func `a named part is captured, percent-decoded`() throws {
        #expect(try parameters("data/path/:pathId", "mdldemo://data/path/5") == ["pathId": "5"])
        #expect(try parameters("data/path/:pathId", "mdldemo://data/path/5/") == ["pathId": "5"])
        #expect(try parameters("test/:testId", "Silverpop://test/a%20b") == ["testId": "a b"])
    }

    @Test(arguments: [
        ("5", true), ("a5b", true), ("52", false), ("somedata", false), ("3", true), ("32", false),
        ("hello", false),
    ])
    func `a regex must match exactly once, anywhere`(value: String, fits: Bool) throws {
        let found = try parameters("data/:dataId", ["dataId": Self.digit], "mdldemo://data/\(value)")
        #expect(found == (fits ? ["dataId": value] : nil))
    }

    @Test func `only declared query parameters are read`() throws {
        let none = try parameters("data", "mdldemo://data?name=value&name2=value2")
        #expect(none == [:])
        let rules = ["name": DeepLinkConfiguration.Parameter()]
        #expect(try parameters("data", rules, "mdldemo://data?name=value") == ["name": "value"])
        #expect(try parameters("data", rules, "mdldemo://data?name=value&name2=value2") == ["name": "value"])
        let both = ["name": DeepLinkConfiguration.Parameter(), "name2": DeepLinkConfiguration.Parameter()]
        #expect(
            try parameters("data", both, "mdldemo://data?name=value&name2=value2")
                == ["name": "value", "name2": "value2"])
    }

    @Test func `each value of a repeated query name must match the regex, and the last is used`()
        throws
    {
        let rules = ["id": Self.digit]
        #expect(try parameters("data", rules, "mdldemo://data?id=6") == ["id": "6"])
        #expect(try parameters("data", rules, "mdldemo://data?id=62") == nil)
        #expect(try parameters("data", rules, "mdldemo://data?id=62&id=6") == nil)
        #expect(try parameters("data", rules, "mdldemo://data?id=5&id=6") == ["id": "6"])
    }

    @Test func `names and values are decoded, and a query item without exactly one equals sign is ignored`()
        throws
    {
        let rules = ["a b": DeepLinkConfiguration.Parameter(), "c": DeepLinkConfiguration.Parameter()]
        #expect(try parameters("data", rules, "m://data?a%20b=x%20y&c&c=1=2&=3") == ["a b": "x y"])
        #expect(try parameters("data/:c", rules, "m://data/path?c=query") == ["c": "query"])
    }

    @Test func `required parameters must be there, in path or query`() throws {
        let rules = [
            "testId": DeepLinkConfiguration.Parameter(isRequired: true), "q": .init(isRequired: true),
        ]
        #expect(try parameters("test/:testId", rules, "Silverpop://test/5?q=1") == ["testId": "5", "q": "1"])
        #expect(try parameters("test/:testId", rules, "Silverpop://test/5") == nil)
    }

    @Test(arguments: [
        ("mdldemo://data/54?name=value", "mdldemo://data?name=value"),
        ("mdldemo://data/54/?name=value", "mdldemo://data?name=value"),
        ("mdldemo://data/54//////?name=value", "mdldemo://data?name=value"),
        ("mdldemo://data?name=value", "mdldemo://?name=value"),
        ("mdldemo://data/32/hello/there?name=value", "mdldemo://data/32/hello?name=value"),
    ])
    func `a link loses its last part, then its host, and keeps its query`(link: String, shorter: String)
        throws
    {
        #expect(try #require(DeepLink(link)).shortened?.text == shorter)
    }

    @Test func `a link without host and path has no shorter form`() throws {
        #expect(try #require(DeepLink("mdldemo://?name=value")).shortened == nil)
        #expect(try #require(DeepLink("mdldemo://data/3")).shortened?.shortened?.text == "mdldemo://")
    }

    @Test func `a link with thousands of parts costs little processor time`() throws {
        let configuration = try DeepLinkConfiguration(
            json: Data(#"{"routes": {"a/:b": {}, "b/:c/d": {}, "/:x/y": {}}}"#.utf8))
        let link = try #require(DeepLink("m://host" + String(repeating: "/a", count: 4_000)))
        let began = threadTime()
        #expect(configuration.match(link) == nil)
        #expect(threadTime() - began < .seconds(5))
    }

    @Test(arguments: ["", "no link", "://x", "/path"])
    func `a text without a scheme is not a link`(text: String) { #expect(DeepLink(text) == nil) }

    @Test func `a link that is too long is refused, and a long value is matched against no regex`() throws {
        #expect(DeepLink("m://" + String(repeating: "x", count: 9000)) == nil)
        let long = String(repeating: "a", count: 600) + "5"
        #expect(try parameters("data/:d", ["d": Self.digit], "m://data/\(long)") == nil)
    }

    @Test func `routes are ordered by their number of literal parts, then by their position in the file`()
        throws
    {
        let configuration = try DeepLinkConfiguration(
            json: Data(
                #"""
                {"routes": {"z/:a/:b": {"handlers": ["1"]}, "z/x/:b": {"handlers": ["2"]}, "z/:c/y": {"handlers": ["3"]},
                 "z/:routes/y/\"{": {"x": {"z/not": {}}}, "a/:q/y": {"handlers": ["4"]}, "z/x/y": {"handlers": ["5"]}}}
                """#.utf8))
        #expect(
            configuration.routes.map(\.pattern) == [
                "z/:routes/y/\"{", "z/x/y", "z/x/:b", "z/:c/y", "a/:q/y", "z/:a/:b",
            ])
        func link(_ text: String) throws -> DeepLink { try #require(DeepLink(text)) }
        let match = try #require(try configuration.match(link("m://z/x/y")))
        #expect(match.handlers == ["5"])
        #expect(try configuration.match(link("m://z/x/q"))?.handlers == ["2"])
        #expect(try configuration.match(link("m://nowhere")) == nil)
    }

    @Test(arguments: [
        (#"{"required": "true"}"#, true), (#"{"required": true}"#, true), (#"{"required": "false"}"#, false),
        (#"{"required": false}"#, false), ("{}", false), (#"{"required": 1}"#, false),
    ])
    func `a flag may be a text or a Boolean`(rule: String, isRequired: Bool) throws {
        let configuration = try DeepLinkConfiguration(
            json: Data(#"{"logging": "true", "routes": {"a": {"routeParameters": {"p": \#(rule)}}}}"#.utf8))
        #expect(configuration.routes.first?.parameters["p"]?.isRequired == isRequired)
        #expect(configuration.isLogging)
        #expect(try !DeepLinkConfiguration(json: Data(#"{"logging": false}"#.utf8)).isLogging)
    }

    @Test func `a route whose regex is invalid is left out and named`() throws {
        let configuration = try DeepLinkConfiguration(
            json: Data(
                #"{"routes": {"a": {"routeParameters": {"p": {"regex": "["}}}, "b": {}, "c": 7}}"#.utf8))
        #expect(configuration.routes.map(\.pattern) == ["b"])
        #expect(configuration.problems == ["a: p has an invalid regex", "c: no object"])
    }

    @Test(arguments: ["", "[]", "{", #"{"routes": []}"#, "\u{0}"])
    func `a file that is not a JSON object with routes is an error`(text: String) {
        #expect(throws: DeepLinkError.self) { try DeepLinkConfiguration(json: Data(text.utf8)) }
    }
}
