import Foundation
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayCardsServer

@Suite struct MarkdownTests {
    private func blocks(_ source: String) throws -> [RichText.Block] {
        try #require(Markdown.parse(source)).blocks
    }

    @Test func `formatting becomes a tree`() throws {
        #expect(
            try blocks("# Title\n\nSome **bold *and* more**, `code` and ~~gone~~  \nnext") == [
                .heading(level: 1, [.text("Title")]),
                .paragraph([
                    .text("Some "), .strong([.text("bold "), .emphasis([.text("and")]), .text(" more")]),
                    .text(", "), .code("code"), .text(" and "), .struck([.text("gone")]), .lineBreak,
                    .text("next"),
                ]),
            ])
        #expect(
            try blocks("- a\n- b\n\n3. c\n\n> q\n\n---\n\n```\nx < y\n```") == [
                .bullets([[.paragraph([.text("a")])], [.paragraph([.text("b")])]]),
                .numbers(start: 3, [[.paragraph([.text("c")])]]), .quote([.paragraph([.text("q")])]), .rule,
                .code("x < y\n"),
            ])
    }

    @Test func `HTML comes out as the text it is`() throws {
        #expect(
            try blocks("<script>alert(1)</script>") == [.paragraph([.text("<script>alert(1)</script>")])])
        #expect(
            try blocks("a <img src=x onerror=alert(1)> b") == [
                .paragraph([.text("a <img src=x onerror=alert(1)> b")])
            ])
    }

    @Test(arguments: [
        "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](javascript&#58;alert(1))",
        "[x](java\u{0}script:alert(1))", "[x](&#x6A;avascript:alert(1))", "[x](<java\tscript:alert(1)>)",
        "[x](data:text/html;base64,PHN2Zz4=)", "[x](vbscript:x)", "[x](file:///etc/passwd)",
        "[x](//evil.example)",
        "[x](/relative)", "[x](\u{202E}https://a.example)", "[x]( javascript:alert(1) )",
        "![x](javascript:alert(1))",
        "[x](subview:)", "[x](subview:a/b)", "[x](https:evil)", "[x](http://)",
        "[x][r]\n\n[r]: javascript:alert(1)",
        "<javascript:alert(1)>",
    ])
    func `an unsafe link keeps its text and loses its target`(_ source: String) throws {
        let json = try JSONColumn.text(try #require(Markdown.parse(source)))
        #expect(!json.contains("\"link\""), "\(json)")
    }

    @Test
    func `refused link targets are listed in order, without bare addresses that are their own text`() {
        #expect(
            Markdown.refusedTargets(
                in: """
                    [a](javascript:x) **[b](/relative)** ![c](data:x) [d](https://a.example) <e@f.example>
                    - > [g][r] ftp://own.example <ftp://own.example> [h]()

                    [r]: //host.example
                    """) == ["javascript:x", "/relative", "data:x", "//host.example", ""])
        let deep = String(repeating: "> ", count: 40) + "[x](file:///x)"
        #expect(Markdown.refusedTargets(in: deep) == ["file:///x"])
        let endless = String(repeating: "[x](/y)\n", count: Markdown.maximumSourceBytes)
        #expect(Markdown.refusedTargets(in: endless).isEmpty)
    }

    @Test(arguments: [
        ("[x](https://a.example/b?c=d#e)", "https://a.example/b?c=d#e"),
        ("[x](HTTP://a.example)", "HTTP://a.example"),
        ("[x](mailto:a@b.example)", "mailto:a@b.example"), ("[x](tel:+491234)", "tel:+491234"),
        ("[x](subview:details)", "subview:details"),
        ("[x](https://example.com/می\u{200C}شود)", "https://example.com/می\u{200C}شود"),
        ("[x](https://example.com/👩\u{200D}💻)", "https://example.com/👩\u{200D}💻"),
        ("![x](https://a.example/p.png)", "https://a.example/p.png"),
    ])
    func `safe links stay, pictures become links`(_ source: String, _ url: String) throws {
        #expect(try blocks(source) == [.paragraph([.link(url: url, [.text("x")])])])
    }

    @Test func `a bare web address becomes a link`() throws {
        #expect(
            try blocks("see https://a.example/x now") == [
                .paragraph([
                    .text("see "), .link(url: "https://a.example/x", [.text("https://a.example/x")]),
                    .text(" now"),
                ])
            ])
    }

    @Test func `a variable stays in one piece of text`() throws {
        #expect(
            try blocks("Dear {{first_name}}, *hi*") == [
                .paragraph([.text("Dear {{first_name}}, "), .emphasis([.text("hi")])])
            ])
    }

    // The sources have names, because the log shows a test's arguments.
    private static let hostile = [
        "quotes": String(repeating: ">", count: 9_000) + "x",
        "lists": String(repeating: "- ", count: 4_900) + "x",
        "emphasis": String(repeating: "*a ", count: 3_300), "brackets": String(repeating: "[", count: 9_900),
        "strong": String(repeating: "**a", count: 3_000) + String(repeating: "b**", count: 300),
        "images": String(repeating: "![[]()", count: 1_600),
        "strikes": String(repeating: "~~a", count: 3_300),
        "angles": String(repeating: "<", count: 9_900), "underscores": String(repeating: "_(", count: 4_900),
    ]

    @Test(arguments: hostile.keys.sorted())
    func `hostile nesting is parsed in bounded time and depth`(_ name: String) throws {
        let begin = threadTime()
        let tree = try #require(Markdown.parse(Self.hostile[name] ?? ""))
        #expect(threadTime() - begin < .seconds(5))
        #expect(depth(try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(tree))) < 100)
    }

    @Test func `text below the deepest level is kept as plain text`() throws {
        let tree = try #require(Markdown.parse(String(repeating: "> ", count: 40) + "treasure"))
        #expect(tree.plainText.contains("treasure"))
    }

    @Test func `a source over the limit is refused`() {
        #expect(Markdown.parse(String(repeating: "a", count: Markdown.maximumSourceBytes)) != nil)
        #expect(Markdown.parse(String(repeating: "a", count: Markdown.maximumSourceBytes + 1)) == nil)
    }

    @Test func `many threads may parse at once`() async throws {
        let wrong = await withTaskGroup(of: Int.self) { group in
            for index in 0..<64 {
                let struck: [RichText.Block] = [.paragraph([.struck([.text("\(index)")])])]
                group.addTask {
                    (0..<100).count { _ in Markdown.parse("~~\(index)~~")?.blocks != struck }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    private func depth(_ value: JSONValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let values): 1 + (values.values.map(depth).max() ?? 0)
        default: 0
        }
    }
}
