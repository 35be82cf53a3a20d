import Testing

@testable import InlayServerTesting
@testable import InlayWorkbench

/// Hints and faults beside a field, which belong to it also in a screen reader.
@Suite(.timeLimit(.minutes(3))) struct FieldTextTests {
    private func names(_ pattern: Regex<(Substring, Substring)>, in html: String) -> [String] {
        html.matches(of: pattern).flatMap { $0.output.1.split(separator: " ").map(String.init) }
    }

    private func expectTied(_ html: String, _ path: String) -> Int {
        let ids = names(/\sid="([^"]*)"/, in: html)
        let described = Set(names(/aria-describedby="([^"]*)"/, in: html))
        let labelled = Set(names(/aria-labelledby="([^"]*)"/, in: html))
        let words = ids.filter { $0.hasSuffix("-hint") || $0.hasSuffix("-fault") }
        #expect(described.isSuperset(of: words), "\(path): \(words.filter { !described.contains($0) })")
        #expect(described.union(labelled).isSubset(of: ids), "\(path)")
        #expect(Set(words).count == words.count, "\(path)")
        #expect(!html.contains("class=\"hint\">"), "\(path) has a hint that belongs to nothing")
        return words.count
    }

    @Test func `on every page each hint belongs to its field`() async throws {
        try await WorkbenchSite.run { site in
            let admin = try await site.signedIn(.admin)
            var hints = 0
            for route in site.routes where route.method == .get {
                let path = "/workbench/" + route.path.replacing(":environment", with: "harbor")
                guard !path.contains(":") else { continue }
                let page = try await admin.get(path)
                guard page.status == 200 else { continue }
                hints += expectTied(page.body, path)
            }
            #expect(hints > 20)
        }
    }

    @Test func `a field of any kind says its hint and its fault`() throws {
        let pages = try PageLibrary.load([WorkbenchFeature.folder])
        let fields: [FieldView] = [
            .line("a[0]", "A", "", hint: "First"), .area("a[0]", "A", "", hint: "First"),
            .choice("a[0]", "A", "x", of: [("x", "X")], hint: "First"),
            .many("a[0]", "A", [], of: [("x", "X")], hint: "First"), .check("a[0]", "A", true, hint: "First"),
        ]
        for field in fields {
            let plain = try pages.render("field", field.with { $0.hint = nil })
            #expect(!plain.contains("aria-describedby"))
            let html = try pages.render("field", field)
            #expect(html.contains("aria-describedby=\"a-0--hint\""))
            #expect(expectTied(html, html) == 1)
            let faulty = try pages.render("field", field.with(fault: "Wrong"))
            #expect(faulty.contains("aria-describedby=\"a-0--hint a-0--fault\""))
            #expect(expectTied(faulty, faulty) == 2)
        }
    }
}
