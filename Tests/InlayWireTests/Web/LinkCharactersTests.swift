@_spi(Inlay) import InlayWire
import Testing

@Suite struct LinkCharactersTests {
    @Test(arguments: [
        "https://example.com/می\u{200C}شود", "https://example.com/👩\u{200D}💻", "https://example.com/سلام",
        "https://example.com?q=می\u{200C}شود&r=می\u{200C}", "https://example.com#می\u{200C}شود",
        "https://مثال.example/می\u{200C}شود", "https://example.com/കണ്\u{200D}",
        "https://example.com/❤️\u{200D}🔥",
        "harbor:می\u{200C}شود", "harbor://cabin/می\u{200C}شود", "mailto:a@b.example?subject=می\u{200C}شود",
        "https://example.com/%E2%80%8C", "https://example.com/a?b={{c}}#d",
    ])
    func `the joiners of Persian and of emoji may stand behind the host`(_ address: String) {
        #expect(LinkCharacters.areSafe(in: address))
    }

    @Test(arguments: [
        "https://می\u{200C}شود.example/", "https://example\u{200D}.com", "https://example.com\u{200D}/",
        "https\u{200D}://example.com/", "می\u{200C}شود", "https://example.com/pay\u{200D}pal",
        "https://example.com/\u{200C}", "https://example.com/م\u{200C}\u{200C}",
        "https://example.com/م\u{200D}\u{200C}",
    ])
    func `a joiner in the host, behind an ASCII character or behind another joiner is refused`(
        _ address: String
    ) {
        #expect(!LinkCharacters.areSafe(in: address))
    }

    @Test(arguments: [
        "\u{202E}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2060}", "\u{2066}", "\u{FEFF}", "\u{AD}",
        "\u{61C}", "\u{E0041}",
        "\u{0}", "\t", "\n", "\u{7F}", "\u{9F}", " ", "\u{A0}", "\u{2028}", "\\",
    ])
    func `other invisible characters, controls, blanks and backslashes are refused anywhere`(
        _ character: String
    ) {
        #expect(!LinkCharacters.areSafe(in: "https://example.com/م\(character)م"))
        #expect(!LinkCharacters.areSafe(in: "\(character)https://example.com/"))
    }
}
