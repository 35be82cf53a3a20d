@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayHub

@Suite struct AccessTests {
    private func access(_ source: HubSettings.ContentSource) -> HubAccess {
        HubAccess(contentSource: source, allowed: HubAllowList())
    }

    private func access(
        _ source: HubSettings.ContentSource = .localOnly, policy: HubPolicy? = nil,
        _ change: (inout HubAllowList) throws -> Void
    ) rethrows -> HubAccess {
        var list = HubAllowList()
        try change(&list)
        return HubAccess(contentSource: source, allowed: list, policy: policy)
    }

    @Test func `content is local only by default`() {
        #expect(HubSettings().contentSource == .localOnly)
        #expect(access(HubSettings().contentSource).allowsResource("https://example.com/a.png") == false)
    }

    @Test func `with external content allowed any web address may load, and it can be switched back`() {
        var hubAccess = access(.externalAllowed)
        #expect(hubAccess.allowsResource("https://example.com/a.png") && hubAccess.sources == nil)
        #expect(
            !hubAccess.allowsResource("javascript:alert(1)")
                && !hubAccess.allowsResource("file:///etc/passwd"))
        hubAccess.contentSource = .localOnly
        #expect(!hubAccess.allowsResource("https://example.com/a.png") && hubAccess.sources == [])
        hubAccess.contentSource = .externalAllowed
        #expect(hubAccess.allowsResource("https://example.com/a.png"))
    }

    @Test func `a listed address is allowed with exactly its query and its fragment`() throws {
        let hubAccess = try access {
            try $0.allow(url: "https://h.test/a?x=1")
            try $0.allow(url: "https://h.test/b#s")
        }
        #expect(
            hubAccess.allowsResource("https://h.test/a?x=1") && hubAccess.allowsResource("https://h.test/b#s")
        )
        for other in [
            "https://h.test/a", "https://h.test/a?x=2", "https://h.test/a?x=1&y=2", "https://h.test/b",
            "https://h.test/b#t", "https://h.test/", "http://h.test/a?x=1", "https://H.test/a?x=1",
        ] { #expect(!hubAccess.allowsResource(other), "\(other)") }
        #expect(hubAccess.sources == [])
    }

    @Test func `a listed domain is allowed with any path, and similar hosts are refused`() throws {
        let hubAccess = try access { try $0.allow(domain: "www.Zumobi.test") }
        for address in ["/", "/about?x=1", "/a/b#c", ""] {
            #expect(hubAccess.allowsResource("https://www.zumobi.test" + address))
        }
        for other in [
            "https://www.zumobi.test.evil.example/", "https://evilwww.zumobi.test/",
            "https://evil.example/?www.zumobi.test", "https://zumobi.test/", "https://a.www.zumobi.test/",
            "https://www.zumobi.test@evil.example/", "https://www.zumobi.test:8443/",
            "https://evil.example\\@www.zumobi.test/", "http://www.zumobi.test/", "//www.zumobi.test/",
        ] { #expect(!hubAccess.allowsResource(other), "\(other)") }
        #expect(hubAccess.sources == ["https://www.zumobi.test"])
    }

    @Test(arguments: ["http://h.test/a", "ftp://h.test/", "h.test", "", "https://", "https:///a"])
    func `the list of URLs refuses plain http and invalid addresses`(address: String) {
        var list = HubAllowList()
        #expect(throws: HubError.self) { try list.allow(url: address) }
        #expect(list.urls.isEmpty)
    }

    @Test(arguments: ["https://h.test", "h.test/a", "", "*.h.test", "h test", ".test", "h.test:80"])
    func `the list of domains refuses invalid host names`(domain: String) {
        var list = HubAllowList()
        #expect(throws: HubError.self) { try list.allow(domain: domain) }
    }

    @Test func `verbatim addresses may be plain http and must match exactly`() {
        let hubAccess = access {
            $0.allowVerbatim(url: "http://www.zumobi.com/about")
            $0.allowVerbatim(domain: "old.test")
        }
        #expect(hubAccess.allowsResource("http://www.zumobi.com/about"))
        #expect(!hubAccess.allowsResource("http://www.zumobi.com/other"))
        #expect(
            hubAccess.allowsResource("http://old.test/a") && hubAccess.allowsResource("https://old.test/a"))
        #expect(!hubAccess.allowsResource("http://older.test/a"))
    }

    @Test func `the publisher's lists narrow the app's and never widen them`() throws {
        let policy = HubPolicy(
            version: 1, allowedURLs: ["https://cdn.test/a.png"],
            allowedDomains: ["both.test", "publisher.test"])
        let hubAccess = try access(policy: policy) {
            for domain in ["cdn.test", "both.test", "app.test"] { try $0.allow(domain: domain) }
        }
        #expect(
            hubAccess.allowsResource("https://both.test/x")
                && hubAccess.allowsResource("https://cdn.test/a.png"))
        for other in ["https://cdn.test/b.png", "https://app.test/", "https://publisher.test/"] {
            #expect(!hubAccess.allowsResource(other), "\(other)")
        }
        #expect(
            hubAccess.sources == ["https://both.test"] && hubAccess.addresses == ["https://cdn.test/a.png"])
        #expect(
            hubAccess.allowsAddress("https://cdn.test/a.png")
                && !hubAccess.allowsAddress("https://both.test/x"))
    }

    @Test func `for each content source, links into the hub stay inside and links to the web ask first`() {
        for source in HubSettings.ContentSource.allCases {
            let hubAccess = access(source)
            #expect(
                hubAccess.decision(for: "hub:article/first-ferry")
                    == .content(HubReference(.article, "first-ferry"))
            )
            #expect(hubAccess.decision(for: "https://example.com/a?b#c") == .ask("https://example.com/a?b#c"))
            #expect(hubAccess.decision(for: "http://example.com/") == .ask("http://example.com/"))
            #expect(hubAccess.decision(for: "mailto:a@example.com") == .ask("mailto:a@example.com"))
        }
    }

    @Test func `a scheme of the app goes to the app unchanged, and no other scheme does`() throws {
        let hubAccess = try access {
            try $0.allow(scheme: "aa")
            try $0.allow(scheme: "ZBiM_sample_app")
        }
        #expect(hubAccess.decision(for: "aa://1") == .app("aa://1"))
        #expect(hubAccess.decision(for: "AA://1") == .app("AA://1"))
        #expect(
            hubAccess.decision(for: "zbim_sample_app://checkout?id=1")
                == .app("zbim_sample_app://checkout?id=1"))
        #expect(hubAccess.decision(for: "dd://1") == .refuse)
        #expect(access(.externalAllowed).decision(for: "dd://1") == .ask("dd://1"))
    }

    @Test(arguments: [
        "javascript:alert(1)", "java\nscript:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "file:///etc",
        "blob:x", "vbscript:x", "about:blank", "", ":", "//evil.test", "relative.html", "hub:article/../x",
        "hub:author/x", "view-source:https://x.test",
    ])
    func `a link with a script, a file or an invalid address is refused`(link: String) {
        for source in HubSettings.ContentSource.allCases {
            #expect(access(source).decision(for: link) == .refuse)
        }
    }

    @Test(arguments: ["http", "https", "javascript", "data", "file", "hub", "", "1a", "a b", "ws"])
    func `schemes of the web and of scripts cannot be given to the app`(scheme: String) {
        var list = HubAllowList()
        #expect(throws: HubError.self) { try list.allow(scheme: scheme) }
    }
}
