import Foundation
@_spi(Inlay) import InlayWire
import Testing

/// Web addresses from third parties: their normalization, their refusal, and the requested URL.
@Suite struct WebAddressTests {
    @Test(arguments: [
        ("https://t.test/i?x=%20y&z={ord}|1", "https://t.test/i?x=%20y&z=%7Bord%7D%7C1"),
        ("https://t.test/i?n=Ærø&x=%C3%86", "https://t.test/i?n=%C3%86r%C3%B8&x=%C3%86"),
        ("https://t.test/My Ad%2030s.mp4?a=%2f", "https://t.test/My%20Ad%2030s.mp4?a=%2f"),
        ("https://t.test/50%", "https://t.test/50%25"),
        ("https://t.test/?a=5%&b=%zz&c=%4", "https://t.test/?a=5%25&b=%25zz&c=%254"),
        ("https://t.test/?q=[x]^`<>\"\\", "https://t.test/?q=%5Bx%5D%5E%60%3C%3E%22%5C"),
        ("https://t.test/[x]#a#b", "https://t.test/%5Bx%5D#a%23b"),
        ("https://t.test?a=1", "https://t.test?a=1"),
        ("HTTPS://T.test:8443/A", "HTTPS://T.test:8443/A"),
        ("https://[::1]:8443/x[1]", "https://[::1]:8443/x%5B1%5D"),
        ("https://t.test/a;b=1,c!$&'()*+:@~-._/?d=/?", "https://t.test/a;b=1,c!$&'()*+:@~-._/?d=/?"),
    ])
    func `an address is requested byte for byte, and only forbidden characters are encoded`(
        _ written: String, _ called: String
    ) {
        #expect(WebAddress.url(written)?.absoluteString == called)
        #expect(WebAddress.url(called)?.absoluteString == called)
        #expect(WebAddress.secureURL(written)?.absoluteString == called)
    }

    @Test(arguments: [
        (" https://t.test/i \r\n", "https://t.test/i"),
        ("\u{FEFF}https://t.test/\u{A0}\u{3000}", "https://t.test/"),
        ("https://t.test/i?a=1\n      &b=2\r\n\t&c=3", "https://t.test/i?a=1&b=2&c=3"),
        ("https://t.test/a \n b c", "https://t.test/ab%20c"), ("https://t.test/a\tb", "https://t.test/ab"),
        ("//t.test/i", "https://t.test/i"), (" //t.test:8443?a", "https://t.test:8443?a"),
        (
            "https://t.test/?e=[ERRORCODE]&p=${AUCTION_PRICE}&k=%5BCACHEBUSTING%5D",
            "https://t.test/?e=[ERRORCODE]&p=${AUCTION_PRICE}&k=%5BCACHEBUSTING%5D"
        ),
        ("https://[CACHEBUSTING].t.test/Æ", "https://[CACHEBUSTING].t.test/Æ"),
        ("https://t.test/\u{301}@x", "https://t.test/\u{301}@x"),
    ])
    func `white space, line breaks and a missing scheme are normalized, and macros stay`(
        _ written: String, _ text: String
    ) throws {
        #expect(try WebAddress(written).text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(try WebAddress(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        ("https://t.test/i?x=%20y&z={o}|1", "https://t.test/i?x=%20y&z=%7Bo%7D%7C1"),
        (" //t.test/a b ", "https://t.test/a%20b"),
        ("https://me@t.test/?x=%20&z={o}", "https://me@t.test/?x=%20&z=%7Bo%7D"),
        ("mailto:a@t.test?subject=%20{o}", "mailto:a@t.test?subject=%20%7Bo%7D"),
        ("harbor://cabin/5?x=%20y&z={o}", "harbor://cabin/5?x=%20y&z=%7Bo%7D"),
        ("tel:+1%2023", "tel:+1%2023"),
        ("tel:+1 23", "tel:+1%2023"), ("/offer?x=%20{o}", "/offer?x=%20%7Bo%7D"),
    ])
    func `a link of any scheme is opened byte for byte`(_ written: String, _ opened: String) {
        #expect(WebAddress.link(written)?.absoluteString == opened)
    }

    @Test func `an address from a URL keeps its text and needs http or https`() throws {
        let url = try #require(URL(string: "http://127.0.0.1:8080/a?x=%20y"))
        #expect(WebAddress(url)?.text == url.absoluteString && WebAddress(url)?.url == url)
        for text in ["ftp://t.test/", "/a", "https://me@t.test/"] {
            #expect(WebAddress(try #require(URL(string: text))) == nil, "\(text)")
        }
    }

    @Test func `a host with non-ASCII letters is requested by its ASCII form`() throws {
        let address = try WebAddress("https://bücher.example:8443/ü?x=%C3%BC")
        #expect(address.text == "https://xn--bcher-kva.example:8443/ü?x=%C3%BC")
        #expect(address.host == "xn--bcher-kva.example")
        #expect(address.url?.absoluteString == "https://xn--bcher-kva.example:8443/%C3%BC?x=%C3%BC")
    }

    @Test(arguments: ["[x]", "[HOST]", "a[HOST].test", "[::1", "::1]", "[127.0.0.1]", "[1:2]"])
    func `brackets in a host hold an IPv6 address, or a macro that has to be filled first`(_ host: String) {
        #expect((try? WebAddress("https://\(host)/"))?.url == nil)
        #expect((try? WebAddress("https://[2001:db8::1]:8443/"))?.url != nil)
    }

    // The examples of RFC 3986, section 5.4.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q#s"), ("g#s", "/b/c/g#s"), ("g?y#s", "/b/c/g?y#s"),
        (";x", "/b/c/;x"), ("g;x?y#s", "/b/c/g;x?y#s"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"),
        ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../g", "/g"), ("../../../../g", "/g"),
        ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), ("..g", "/b/c/..g"), ("./../g", "/b/g"),
        ("./g/.", "/b/c/g/"), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"), ("g?y/../x", "/b/c/g?y/../x"),
        ("g#s/../x", "/b/c/g#s/../x"), (" My clip.mp4\n", "/b/c/My%20clip.mp4"),
        ("i?e=[ERRORCODE]&u=https://x.test/", "/b/c/i?e=[ERRORCODE]&u=https://x.test/"),
    ])
    func `a relative address is resolved against its document's`(_ reference: String, _ path: String) throws {
        let base = try WebAddress("https://a.test:8443/b/c/d;p?q")
        #expect(try WebAddress(reference, relativeTo: base).text == "https://a.test:8443" + path)
        #expect(throws: WebAddress.Refusal.relative) { try WebAddress(reference) }
    }

    @Test func `a host without a scheme uses https, or the document's http if the host is allowed`()
        throws
    {
        let plain = try WebAddress("http://127.0.0.1:8080/a/b"), secure = try WebAddress("https://a.test")
        let hosts: Set = ["127.0.0.1"]
        for (text, called) in [
            ("//g.test/x", "https://g.test/x"), ("//127.0.0.1:81/x", "http://127.0.0.1:81/x"),
        ] {
            #expect(try WebAddress(text, relativeTo: plain, cleartextHosts: hosts).text == called)
        }
        for base in [plain, secure, nil] {
            #expect(try WebAddress("//127.0.0.1/x", relativeTo: base).text == "https://127.0.0.1/x")
        }
        for base in [secure, nil] {
            let address = try WebAddress("//127.0.0.1/x", relativeTo: base, cleartextHosts: hosts)
            #expect(address.text == "https://127.0.0.1/x")
        }
        #expect(try WebAddress("x", relativeTo: secure).text == "https://a.test/x")
        #expect(try WebAddress("http://g.test/x", relativeTo: secure).text == "http://g.test/x")
    }

    private static let refused: [(String, WebAddress.Refusal)] = [
        ("", .empty), (" \n\t\u{A0}", .empty), ("https://me@t.test/", .userInformation),
        ("https://me:secret@t.test", .userInformation), ("//me@t.test/x", .userInformation),
        ("https://good.test\\@t.test/", .userInformation), ("https://t.test/\u{0}", .control),
        ("https://t.test/a\u{1B}b", .control), ("https://t.test/a\u{7F}", .control),
        ("t.test/x", .relative), ("x y", .relative), ("ftp://t.test/", .notWeb),
        ("javascript:alert(1)", .notWeb), ("java\nscript:alert(1)", .notWeb), ("file:///x", .notWeb),
        ("https:t.test", .notWeb), ("https:/t.test", .notWeb), ("%%CLICK%%https://t.test/", .notWeb),
        ("[CLICKTHROUGH]", .notWeb), ("https://", .host), ("//", .host), ("https:///x", .host),
        ("https://?x", .host), ("https://:443/", .host), ("https://t.test:8a/", .host),
        ("https://t.test:65536/", .host), ("https://t.test:+80/", .host),
        ("https://good.test\\.t.test/", .host), ("https://a b.test/", .host), ("https://t%2Etest/", .host),
        ("https://{host}.test/", .host),
    ]

    @Test(arguments: refused.indices)
    func `a text that is no address is refused with its reason`(_ index: Int) throws {
        let (text, refusal) = Self.refused[index]
        #expect(throws: refusal, "\(text)") { try WebAddress(text) }
        #expect(WebAddress.url(text) == nil, "\(text)")
        // With a base address the text is refused too, unless the missing base was the only fault.
        let base = try WebAddress("https://a.test/b")
        #expect((try? WebAddress(text, relativeTo: base)) == nil || refusal == .relative, "\(text)")
    }

    @Test func `an address is refused when it is too long, before and after it is resolved`() throws {
        func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
        let base = try WebAddress("https://a.test/\(many("b", 3000))/")
        let whole = "https://t.test/\(many("x", 5 << 10))"
        let wideInside = "https://t.test/a\(many(" ", 2000))b"
        for text in [whole, wideInside, many("../", 10_000), many("x", 2000)] {
            #expect(throws: WebAddress.Refusal.tooLong(4096)) { try WebAddress(text, relativeTo: base) }
        }
        // Indentation does not count towards the limit.
        let wide = "https://t.test/a\n\(many(" ", 10_000))b"
        #expect(try WebAddress(wide).text == "https://t.test/ab")
        let up = "\(many("../", 1000))x"
        #expect(try WebAddress(up, relativeTo: base).text == "https://a.test/x")
    }

    @Test func `http is allowed only for listed hosts`() {
        let hosts: Set = ["127.0.0.1"]
        for text in ["http://127.0.0.1:8080/a", "https://t.test/"] {
            #expect(WebAddress.secureURL(text, cleartextHosts: hosts)?.absoluteString == text)
        }
        for text in ["http://t.test/", "http://127.0.0.1.t.test/", "http://127.0.0.1@t.test/", "127.0.0.1"] {
            #expect(WebAddress.secureURL(text, cleartextHosts: hosts) == nil, "\(text)")
        }
    }
}
