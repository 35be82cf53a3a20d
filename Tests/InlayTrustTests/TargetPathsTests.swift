@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

/// The checks that target paths stay in their folder and are distinct on every file system.
@Suite struct TargetPathsTests {
    @Test(arguments: [
        "", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "C:a", "a\u{0}b", "a\nb",
        "a\u{7f}",
        "../\u{301}a", "a/../\u{301}b", "a.", "a ", "a./b", "a\u{202e}lmth.exe", "a\u{200b}b",
        String(repeating: "x", count: 121),
        String(repeating: "x/", count: 600) + "x",
    ])
    func `a path that could leave its folder or mislead a reader is refused`(path: String) {
        let error = #expect(throws: TrustError.self) { try TargetPaths.check(path) }
        #expect(error?.threat == .policy)
    }

    @Test func `the error for a long path names its beginning`() {
        let path = "e" + String(repeating: "\u{301}", count: 5_000)
        let error = #expect(throws: TrustError.self) { try TargetPaths.check(path) }
        #expect(error?.file?.unicodeScalars.count == 200)
    }

    @Test(arguments: [
        "a", "index.json", "articles/a/index.html", ".hidden", "a..b", "ünï/日本.txt", "a b/c", "~x",
    ])
    func `ordinary paths are accepted`(path: String) throws { try TargetPaths.check(path) }

    @Test(arguments: [
        ["a", "A"], ["straße", "STRASSE"], ["caf\u{e9}", "cafe\u{301}"], ["x/ς", "x/σ"],
        ["\u{212b}", "\u{e5}"],
        ["a", "a/b"], ["A", "a/b"], ["a/B", "a/b/c"], ["a", "a/\u{301}b"],
    ])
    func `two paths that are equal on some file system are refused`(paths: [String]) {
        let error = #expect(throws: TrustError.self) { try TargetPaths.check(paths) }
        #expect(error?.threat == .policy)
        #expect(throws: TrustError.self) { try TargetPaths.check(Array(paths.reversed())) }
    }

    @Test func `a slash in front of a combining mark separates too`() {
        let path = "a/\u{301}b"
        #expect(path.pathParts.map(String.init) == ["a", "\u{301}b"])
        let published = TargetFile(path: path, contents: .init()).publishedPath(consistent: true)
        #expect(published.utf8.starts(with: "a/".utf8))
    }

    @Test func `paths with a parent step, an empty component or a NUL are refused`() {
        var random = SeededRandom(seed: 7)
        let plain = ["a", "b.c", "Ü", "x y"]
        for _ in 0..<2_000 {
            var parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                plain.randomElement(using: &random) ?? ""
            }
            let bad = ["..", ".", "", "a\\..\\b", "x\u{0}"].randomElement(using: &random) ?? ""
            parts.insert(bad, at: Int.random(in: 0...parts.count, using: &random))
            let path = parts.joined(separator: "/")
            #expect(throws: TrustError.self, "\(path.debugDescription)") { try TargetPaths.check(path) }
        }
    }

    @Test func `sets of distinct paths are accepted`() throws {
        try TargetPaths.check(["a/b", "a/c", "ab", "b", "ü/1", "u/1"])
        try TargetPaths.check([])
    }

    @Test func `a publisher cannot list what a device would refuse`() throws {
        var fixture = try TrustFixture()
        for paths in [["../a"], ["a", "A"]] {
            let files = paths.map { TargetFile(path: $0, contents: .init()) }
            let error = #expect(throws: TrustError.self) {
                try fixture.repository.publish(files, keys: fixture.keys, now: .start)
            }
            #expect(error?.threat == .policy)
        }
    }
}
