import Foundation
import Testing

@_spi(Inlay) @testable import InlaySurface

/// The rights of a document in a frame, and the tags that are disabled in it.
@Suite struct FrameRulesTests {
    private let base = "http://127.0.0.1:1/secret/hub/"

    private func rules(_ policy: String) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: policy.components(separatedBy: "; ").map { rule in
                let parts = rule.split(separator: " ").map(String.init)
                return (parts[0], Array(parts.dropFirst()))
            })
    }

    private func prepared(_ html: String) throws -> String {
        let data = try FrameDocument.prepared(Data(html.utf8), prefix: "/c/", rules: FrameRules())
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a document reaches its own files and nothing else`() {
        let rules = rules(FrameRules().policy(base: base))
        #expect(rules["default-src"] == ["'none'"])
        #expect(rules["img-src"] == [base, "data:"])
        #expect(rules["media-src"] == [base])
        #expect(rules["script-src"] == [base + "~/frame-apis.js", base + "~/frame.js"])
        for name in ["connect-src", "frame-src", "object-src", "worker-src", "form-action", "base-uri"] {
            #expect(rules[name] == ["'none'"], "\(name)")
        }
        #expect(rules["sandbox"] == ["allow-scripts"])
        #expect(rules["require-trusted-types-for"] == ["'script'"])
    }

    @Test func `a signed flag lets script files of the version run, and no other script`() {
        let rules = rules(FrameRules(allowsScripts: true).policy(base: base))
        #expect(rules["script-src"] == [base])
        #expect(rules["connect-src"] == ["'none'"])
    }

    @Test func `a listed origin is in the policy, and invalid entries of the list are not`() {
        let places = [
            "https://www.example.com", "https://a.example/one.jpg", "http://h.example", "ftp://h.example",
            "https://h.example; script-src *", "https://*", "https://", "https://h.example/a,b",
            "javascript:1", "https://h.example?x", "https://h.example\u{7F}", "https://-a.example",
        ]
        let rules = rules(FrameRules(outside: .origins(places)).policy(base: base))
        #expect(
            rules["img-src"] == [base, "data:", "https://www.example.com", "http://h.example"])
        #expect(rules["connect-src"] == ["https://www.example.com", "http://h.example"])
    }

    @Test func `listed addresses are not in the policy, which cannot compare queries`() {
        let listed = FrameRules(allowsScripts: true, addresses: ["https://a.example/one?x=1#y"])
        let policy = listed.policy(base: base)
        #expect(!policy.contains("a.example"))
        #expect(rules(policy)["connect-src"] == [base + "~/outside"])
        #expect(listed.connectionAllowlist == "(response-origin)")
    }

    @Test func `a listed address is rewritten to the host where it is loaded, and nowhere else`() throws {
        let address = "https://a.example/one?x=1&y=2#z"
        let own = "/c/~/outside?u=https%3A%2F%2Fa.example%2Fone%3Fx%3D1%26y%3D2%23z"
        func body(_ html: String) throws -> String {
            let rules = FrameRules(addresses: [address, "https://a.example/one"])
            let data = try FrameDocument.prepared(Data(html.utf8), prefix: "/c/", rules: rules)
            return String(decoding: data, as: UTF8.self)
        }
        let empty = try body("")
        #expect(empty.contains("data-addresses=\"{"))
        func prepared(_ html: String) throws -> String { String(try body(html).dropFirst(empty.count)) }
        for (markup, turned) in [
            ("<img src=\"\(address)\">", "<img src=\"\(own)\">"),
            ("<img SRC='https://a.example/one?x=1&amp;y=2#z'>", "<img SRC='\(own)'>"),
            ("<img src=\(address)>", "<img src=\(own)>"),
            ("<video poster = \"\(address)\">", "<video poster = \"\(own)\">"),
            ("<p style=\"background: url(\(address))\">", "<p style=\"background: url(\(own))\">"),
            ("<style>@import '\(address)';</style>", "<style>@import '\(own)';</style>"),
            (
                "<img src=\"https://a.example/one\">",
                "<img src=\"/c/~/outside?u=https%3A%2F%2Fa.example%2Fone\">"
            ),
        ] { #expect(try prepared(markup) == turned) }
        for markup in [
            "<a href=\"\(address)\">a</a>", "<p>\(address)</p>", "<img src=\"\(address)&w=3\">",
            "<img src=\"https://a.example/one?x=2\">", "<img data-x=\"\(address)\">",
            "<img src=\"x\(address)\">",
        ] { #expect(try prepared(markup) == markup) }
    }

    @Test func `with all origins allowed a document is still sandboxed`() {
        let rules = rules(FrameRules(outside: .anything).policy(base: base))
        #expect(rules["img-src"]?.contains("https:") == true)
        #expect(rules["connect-src"]?.contains("https:") == true)
        #expect(rules["form-action"] == ["'none'"] && rules["base-uri"] == ["'none'"])
        #expect(rules["sandbox"] == ["allow-scripts"])
    }

    @Test(arguments: [
        "<link rel=preconnect href=//e>", "<LINK\nrel=x>", "<link/rel=x>", "<link>",
        "<iframe srcdoc='&lt;link'>",
        "<Base href=x>", "<meta http-equiv=refresh>", "<object\u{0C}data=x>", "<embed\r>",
        "<svg><link x></svg>",
        "<link rel=\"stylesheet\" href=\"x.css\" rel=\"preconnect\">", "<<link >", "<a<link >",
        "<link rel=\"stylesheet\" href=\"x\"onload=\"y\">",
    ])
    func `a tag that connects is renamed in every spelling`(html: String) throws {
        let own = try prepared("")
        let rest = try prepared(html).dropFirst(own.count).lowercased()
        for tag in FrameDocument.closedTags {
            for end in [" ", "\n", "\t", "/", ">", "\r", "\u{0C}"] {
                #expect(!rest.contains("<\(tag)\(end)"))
            }
        }
        #expect(rest.contains("<inlay-"))
    }

    @Test func `text and tags that only resemble a disabled tag stay`() throws {
        let html = "<p>a <linked> b</p><svg><metadata>m</metadata></svg><header>h</header>&lt;link>"
        #expect(try prepared(html).hasSuffix(html))
    }

    @Test func `a plain style sheet stays, as an import`() throws {
        let html = try prepared(#"<link rel="stylesheet" href="../../assets/inlay-article.css">"#)
        #expect(html.hasSuffix(#"<style>@import url("../../assets/inlay-article.css");</style>"#))
    }

    @Test func `the host's scripts come before everything in the document`() throws {
        let html = try prepared("\u{FEFF}<!DOCTYPE html><p>x</p>")
        let scripts = #"<script src="/c/~/frame-apis.js"></script><script src="/c/~/frame.js"></script>"#
        #expect(html.hasPrefix("<!DOCTYPE html>" + scripts))
        #expect(html.hasSuffix("<!DOCTYPE html><p>x</p>"))
    }

    @Test(arguments: [[0xFE, 0xFF, 0, 60], [0xFF, 0xFE, 60, 0]] as [[UInt8]])
    func `a document in another encoding is not shown`(bytes: [UInt8]) {
        #expect(throws: FrameDocument.Failure.foreignEncoding) {
            try FrameDocument.prepared(Data(bytes), prefix: "/", rules: FrameRules())
        }
    }

    @Test func `a file's type comes from its path`() {
        #expect(SurfaceMediaType.of("articles/a/index.html") == "text/html; charset=utf-8")
        #expect(SurfaceMediaType.of("assets/A.JPG") == "image/jpeg")
        #expect(SurfaceMediaType.of("assets/v.mp4") == "video/mp4")
        // A slash at the end does not count.
        #expect(SurfaceMediaType.of("a.html/") == "text/html; charset=utf-8")
        for odd in ["assets/x", "x.", ".html/x", "", "x.exe"] {
            #expect(SurfaceMediaType.of(odd) == "application/octet-stream", "\(odd)")
        }
    }
}
