import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer

/// The page of an article's text, and the warnings that its author gets.
@Suite struct ArticleTextTests {
    private func page(
        _ body: String, _ format: HubDraft.Format = .markdown, _ settings: HubSettings = HubSettings()
    ) throws -> HubPageWriter.Page {
        let writer = HubPageWriter(
            settings: settings, policy: HubPolicy(version: 1), assets: [:], templates: [:])
        return try writer.page(HubDraft(title: "T", body: body, format: format), .article, date: nil)
    }

    private func warnings(_ page: HubPageWriter.Page) -> [String] { page.losses.items.map(\.text) }

    /// Returns the ids of a page, and the ids to which its links lead in a browser (HTML, section 7.4.6.4).
    private func anchors(_ page: HubPageWriter.Page) -> (ids: [String], links: [String]) {
        var (ids, links): ([String], [String]) = ([], [])
        for case .start(_, let attributes) in HTMLTokenizer.tokens(page.html) {
            ids += attributes.filter { $0.name == "id" }.map(\.value)
            let within = attributes.filter { $0.name == "href" && $0.value.hasPrefix("#") && $0.value != "#" }
            links += within.map { String($0.value.dropFirst()).removingPercentEncoding ?? "" }
        }
        return (ids, links)
    }

    // MARK: Punctuation

    @Test func `punctuation stays as it was written, and is replaced where the source says so`() throws {
        let text = "Markdown `--dry-run` -- AB--12 ... \"Moin\" it's"
        let plain = try page(text).html
        #expect(plain.contains("-- AB--12 ... &quot;Moin&quot; it&#39;s"), "\(plain)")
        let settings = HubSettings(language: "de", usesTypographicPunctuation: true)
        let typographic = try page(text, .markdown, settings).html
        #expect(typographic.contains("– AB–12 … “Moin” it’s"), "\(typographic)")
        for html in [plain, typographic] { #expect(html.contains("<code>--dry-run</code>")) }
    }

    @Test func `stored settings of an earlier version have no typographic punctuation`() throws {
        let settings = try JSONDecoder().decode(HubSettings.self, from: Data("{\"language\":\"de\"}".utf8))
        #expect(!settings.usesTypographicPunctuation && settings.language == "de")
    }

    // MARK: Ids and footnotes

    @Test func `links to ids and footnotes of a Markdown text work, and nothing is reported`() throws {
        let page = try page(
            """
            [Prices](#prices) [Цены](#цены) [top](#top) [up](#)

            <h2 id="prices">Prices</h2>

            <h3 id="цены">Цены</h3>

            Six[^1] or seven[^ноль], again[^1].

            [^1]: In summer.
            [^ноль]: In winter.
            """)
        let (ids, links) = anchors(page)
        #expect(links.count >= 7 && Set(links).isSubset(of: ids), "\(links) \(ids)")
        #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.hasPrefix(PageAnchor.prefix) })
        #expect(ids.contains("user-content-prices") && ids.contains("user-content-fn-1"))
        #expect(page.html.contains("In summer.") && page.html.contains("In winter."))
        #expect(warnings(page) == [] && page.faults.isEmpty)
    }

    @Test func `links to ids of an HTML text work, with ids and with older names`() throws {
        let page = try page(
            """
            <p>Six<sup><a href="#fn1" name="r1">1</a></sup> <a href="#Fare%20zone">no</a> <a href="#a.b:c">yes</a></p>
            <p id=fn1>In summer <a href="#r1">back</a> <a href=#top>top</a></p><p id="a.b:c" aria-label="C">c</p>
            """, .html)
        let (ids, links) = anchors(page)
        #expect(ids == ["user-content-r1", "user-content-fn1", "user-content-a.b:c"])
        #expect(links == ["user-content-fn1", "user-content-a.b:c", "user-content-r1"])
        #expect(page.html.contains("<a href=\"#\">top</a>") && page.html.contains("aria-label=\"C\""))
        #expect(warnings(page).count == 1 && warnings(page)[0].contains("#Fare%20zone"))
    }

    @Test func `a link finds an id of the same letters, however they are composed`() throws {
        let page = try page("<p id=\"cafe\u{301}\">a</p><a href=\"#caf\u{E9}\">b</a>", .html)
        let (ids, links) = anchors(page)
        #expect(ids.map { Array($0.utf8) } == links.map { Array($0.utf8) } && ids.count == 1)
        #expect(warnings(page) == [])
    }

    @Test func `no id can replace a property of the page, and of equal ids only the first stays`() throws {
        let names = [
            "location", "cookie", "body", "__proto__", "user-content-location", "page", "x", "x", "%78",
            "user-content-", "a b", "", "%2541", String(repeating: "i", count: 201),
        ]
        let page = try page(names.map { "<p id=\"\($0)\">t</p>" }.joined(), .html)
        let prefixed = ["location", "cookie", "body", "__proto__", "page", "x"].map { PageAnchor.prefix + $0 }
        #expect(anchors(page).ids == prefixed)
        #expect(warnings(page).filter { $0.contains("is there twice") }.count == 3)
        #expect(warnings(page).filter { $0.contains("cannot be used") }.count == 5)
    }

    @Test func `cleaning a cleaned text changes nothing and loses nothing`() throws {
        let text =
            "<p id=\"50%\">a</p><a href=\"#50%25\">b</a><a href=\"#цены\">c</a><p id=цены>d</p><video src=assets/a.mp4>"
        func clean(_ text: String) -> (String, HTMLLosses) {
            var sanitizer = HTMLSanitizer(links: LinkRule()) { HubPageWriter.assetPath($0) }
            let html = sanitizer.clean(text)
            return (html, sanitizer.losses)
        }
        let once = clean(text)
        let twice = clean(once.0)
        #expect(once.0 == twice.0 && once.1.items == [] && twice.1.items == [])
    }

    @Test func `ten thousand ids are a fault that names the first one too many`() throws {
        let ids = (0..<10_000).map { "<br id=x\($0)>" }.joined()
        #expect(ids.utf8.count <= HubLimits.maximumBodyBytes)
        let many = try page(ids, .html)
        #expect(many.faults.map { $0.message } == ["The text has more than \(HubLimits.maximumPageIDs) ids."])
        #expect(many.faults.map { $0.quote } == ["x\(HubLimits.maximumPageIDs)"])
        #expect(anchors(many).ids.count == HubLimits.maximumPageIDs)
        let references = try page(String(repeating: "[^1]", count: 6_000) + "\n\n[^1]: One.")
        #expect(
            references.faults.map { $0.message } == [
                "The text has more than \(HubLimits.maximumPageIDs) ids."
            ])
    }

    @Test func `ten thousand equal footnotes are one warning with their number`() throws {
        let text = String(repeating: "[^a]:\n", count: 10_000) + String(repeating: "word ", count: 10_000)
        #expect(text.utf8.count <= HubLimits.maximumBodyBytes)
        #expect(try page(text).losses.items.map(\.count) == [1, 9_999])
    }

    // MARK: Losses

    @Test func `every part of a text that is missing on its page is reported, each kind once`() throws {
        let page = try page(
            """
            <p style="color:red" class="lead">a</p><p style="x">b</p><font>c</font><script>d()</script>
            <a href="other:x">e</a> <a href="/near">f</a> <a href="#nowhere">g</a> <a href="https://a.example/\u{202E}x">h</a>
            <td align="top">i</td><p title="\(String(repeating: "t", count: 1_001))">j</p>\(String(repeating: "<div>", count: 61))
            <!-- k
            """, .html)
        let found = warnings(page)
        for (part, count) in [
            ("The attribute style of <p> was left out. (2 times)", 1), ("The attribute class of <p>", 1),
            ("<font> was left out; its text stays.", 1), ("<script> was left out with everything in it.", 1),
            ("The link to \"other:x\"", 1), ("The link to \"/near\"", 1),
            ("The link to \"https://a.example/", 1),
            ("The link to #nowhere leads to no id", 1), ("The attribute align of <td>", 1),
            ("The title of <p> was cut to 1000 characters.", 1), ("<div> lies in more than 60 elements", 1),
            ("<!-- is never closed; everything after it was left out.", 1),
        ] {
            #expect(found.filter { $0.hasPrefix(part) }.count == count, "\(part) \(found)")
        }
        #expect(found.count == 12, "\(found)")
    }

    @Test(arguments: [
        ("a <b and c", "<b is never closed"), ("a <svg>b", "<svg is never closed"),
        ("a <title>b", "<title is never closed"), ("a <!doctype b", "<! is never closed"),
        ("a <?php b", "<? is never closed"), ("a </b and c", "</b is never closed"),
        ("a </3 b", "</ is never closed"),
    ])
    func `markup that never ends is named, for what follows it is lost`(_ text: String, _ warning: String)
        throws
    {
        #expect(warnings(try page(text, .html)).contains { $0.hasPrefix(warning) })
    }

    @Test func `markup that the Markdown parser adds is not reported as a loss`() throws {
        let page = try page(
            """
            ```swift
            let a = "[^9]: no footnote"
            [^9]: no footnote
            ```

            | a | b |
            |:-:|--:|
            | c | d |

            3. e[^1]

            [^1]: f
            """)
        #expect(warnings(page) == [])
        #expect(
            page.html.contains("<td align=\"center\">c</td><td align=\"right\">d</td>")
                || page.html.contains("<td align=\"center\">c</td>\n<td align=\"right\">d</td>"))
        #expect(page.html.contains("<ol start=\"3\">"))
    }

    @Test func `a footnote that nothing refers to, and a second one of a name, are named`() throws {
        let page = try page(
            "a[^1] b[^3]\n\n[^1]: one\n\n[^2]: two\n\n[^1]: three\n\n> [^4]: four\n\n- [^5]: five")
        #expect(
            warnings(page) == [
                "Nothing refers to the footnote [^2], and it was left out.",
                "The footnote [^1] is there twice; only the first one stays.",
                "Nothing refers to the footnote [^4], and it was left out.",
                "Nothing refers to the footnote [^5], and it was left out.",
            ])
        #expect(page.html.contains("one") && page.html.contains("b[^3]"))
    }

    @Test func `losses of many kinds are bounded and counted`() throws {
        let links = (0..<300).map { "<a href=\"other:\($0)\">x</a>" }.joined()
        let losses = try page(links, .html).losses
        #expect(losses.items.count == HTMLLosses.maximumItems && losses.uncountedParts == 200)
        let long = try page("<a href=\"other:\(String(repeating: "x", count: 100_000))\">x</a>", .html).losses
        #expect(long.items.count == 1 && long.items[0].message.count < 400)
    }

    @Test func `a text whose scripts run is not changed`() throws {
        let writer = HubPageWriter(
            settings: HubSettings(allowsScripts: true), policy: HubPolicy(version: 1), assets: [:],
            templates: [:])
        let body = "<p id=a style=\"color:red\">x</p><a href=#a>y</a>"
        let draft = HubDraft(title: "T", body: body, format: .html, allowsScripts: true)
        let page = try writer.page(draft, .article, date: nil)
        #expect(page.html.contains(body) && page.losses.items.isEmpty)
    }
}
