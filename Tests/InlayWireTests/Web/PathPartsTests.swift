@_spi(Inlay) import InlayWire
import Testing

@Suite struct PathPartsTests {
    @Test func `a path is separated at every slash, also in front of a combining mark`() {
        #expect("a//b/\u{301}c/".pathParts.map(String.init) == ["a", "", "b", "\u{301}c", ""])
        #expect("".pathParts.map(String.init) == [""])
        #expect(PercentEncoding.encode(path: "a b/../\u{301}?#%") == "a%20b/../%CC%81%3F%23%25")
    }
}
