import Testing

@_spi(Inlay) @testable import InlaySurface

@Suite struct LinkTargetTests {
    @Test(arguments: [
        "https://example.com/a?b=c#d", "http://example.com", "mailto:harbour@example.com", "tel:+6491234567",
    ])
    func `a web, mail or phone address is a target as it is`(address: String) {
        #expect(LinkTarget(address) == .address(address))
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "java\tscript:alert(1)",
        " javascript:alert(1)", "\u{1}javascript:alert(1)", "javascript\u{0}:alert(1)",
        "javascript&#58;alert(1)",
        "data:text/html,<script>1</script>", "DATA:text/html;base64,PHM+", "vbscript:x", "file:///etc/passwd",
        "blob:https://example.com/1", "about:blank", "//example.com", "/relative", "example.com", "", " ",
        ":",
        "https:example.com", "https:///example.com", "https:", "http://", "mailto:", "tel:", "subview:",
        "https://exam\nple.com", "https:\\\\example.com", "https://example.com/\u{202E}gpj.exe",
        "ｊavascript:alert(1)", "1http://example.com", "ht tp://example.com", "feed:javascript:alert(1)",
    ])
    func `an address that is not certainly harmless is no target`(address: String) {
        #expect(LinkTarget(address) == nil)
    }

    @Test(arguments: ["https://example.com/می\u{200C}شود", "https://example.com/👩\u{200D}💻"])
    func `an address may contain joiners of Persian and emoji after its host`(address: String) {
        #expect(LinkTarget(address) == .address(address))
        #expect(LinkTarget.web(address) == address)
        #expect(LinkTarget.isForApp(address.replacing("https:", with: "harbor:")))
        #expect(LinkTarget(address.replacing("example", with: "می\u{200C}شود")) == nil)
    }

    @Test func `schemes are case-insensitive and returned in lower case`() {
        #expect(LinkTarget("HTTPS://Example.com/A") == .address("https://Example.com/A"))
        #expect(LinkTarget("  https://example.com ") == .address("https://example.com"))
    }

    @Test func `a subview is a target by its id`() {
        #expect(LinkTarget("subview:more") == .subview("more"))
    }

    @Test func `an address over the limit leads nowhere`() {
        let remaining = LinkTarget.maximumAddressLength - "https://a/".utf8.count
        #expect(LinkTarget("https://a/" + String(repeating: "x", count: remaining)) != nil)
        #expect(LinkTarget("https://a/" + String(repeating: "x", count: remaining + 1)) == nil)
    }

    @Test(arguments: [
        ("harbor://tickets/4", true), ("javascript:1", false), ("JAVASCRIPT:1", false),
        ("java\nscript:1", false), ("data:x", false), ("file:///x", false), ("no scheme", false),
    ])
    func `an app may open its own schemes, but never those of scripts, data or files`(step: (String, Bool)) {
        #expect(LinkTarget.isForApp(step.0) == step.1)
    }

    @Test func `an image comes from the web through the page's host`() {
        #expect(
            SurfaceMedia.throughHost.source(of: "https://a.example/x y.png".replacing(" ", with: "%20"))
                == "media?u=https%3A%2F%2Fa.example%2Fx%2520y.png")
        #expect(SurfaceMedia.direct.source(of: "https://a.example/x.png") == "https://a.example/x.png")
        for address in ["data:image/svg+xml,<svg/>", "mailto:a@b", "javascript:1", "x.png", "subview:a"] {
            #expect(SurfaceMedia.throughHost.source(of: address) == nil)
        }
    }
}
