import Testing

@testable import InlayServerTesting
@testable import InlayWorkbench

/// The hints and errors of fields, which a screen reader must read with the field.
@Suite(.timeLimit(.minutes(3))) struct FieldTextTests {
    private func names(_ pattern: Regex<(Substring, Substring)>, in html: String) -> [String] {
        html.matches(of: pattern).flatMap { $0.output.1.split(separator: " ").map(String.init) }
    }

    /// Expects that a field refers to each hint and error of the page, and returns their number.
    private func expectReferenced(_ html: String, _ path: String) -> Int {
        let ids = names(/\sid="([^"]*)"/, in: html)
        let described = Set(names(/aria-describedby="([^"]*)"/, in: html))
        let labelled = Set(names(/aria-labelledby="([^"]*)"/, in: html))
        let texts = ids.filter { $0.hasSuffix("-hint") || $0.hasSuffix("-fault") }
        #expect(described.isSuperset(of: texts), "\(path): \(texts.filter { !described.contains($0) })")
        #expect(described.union(labelled).isSubset(of: ids), "\(path)")
        #expect(Set(texts).count == texts.count, "\(path)")
        #expect(!html.contains("class=\"hint\">"), "\(path) has a hint that belongs to nothing")
        return texts.count
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
                hints += expectReferenced(page.body, path)
            }
            #expect(hints > 20)
        }
    }

    @Test func `a field of any kind refers to its hint and its error`() throws {
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
            #expect(expectReferenced(html, html) == 1)
            let faulty = try pages.render("field", field.with(fault: "Wrong"))
            #expect(faulty.contains("aria-describedby=\"a-0--hint a-0--fault\""))
            #expect(expectReferenced(faulty, faulty) == 2)
        }
    }
}
