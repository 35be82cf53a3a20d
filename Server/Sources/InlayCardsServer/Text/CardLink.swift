@_spi(Inlay) import InlayWire

/// The rule for the addresses that a card may link to.
///
/// The bytes are checked as they are: nothing is decoded, trimmed or repaired first, so no spelling of
/// `javascript:` gets through by looking like something else.
enum CardLink {
    /// The prefix of a link to a subview of the same card.
    static let subviewPrefix = "subview:"

    /// Schemes that run code or read files wherever a link is opened.
    private static let forbidden: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "filesystem", "about", "view-source", "content",
    ]

    /// Whether a link in Markdown may have this address: http, https, mailto, tel or a subview.
    static func isSafeInText(_ url: String) -> Bool {
        guard isClean(url), let scheme = scheme(of: url) else { return false }
        switch scheme {
        case "http", "https": return isWeb(url)
        case "mailto", "tel": return url.utf8.count > scheme.utf8.count + 1
        case "subview": return isIdentifier(url.dropFirst(subviewPrefix.count))
        default: return false
        }
    }

    /// Whether an image may have this address: http or https with a host.
    static func isWeb(_ url: String) -> Bool {
        guard isClean(url), let scheme = scheme(of: url), scheme == "http" || scheme == "https" else {
            return false
        }
        let rest = url.dropFirst(scheme.count + 1)
        guard rest.hasPrefix("//"), let first = rest.dropFirst(2).first else { return false }
        return !"/?#@:".contains(first)
    }

    /// Whether a button may have this address: the web, mail, telephone, or any scheme that is not forbidden.
    static func isSafeForButton(_ url: String) -> Bool {
        guard isClean(url), let scheme = scheme(of: url), !forbidden.contains(scheme) else { return false }
        if scheme == "http" || scheme == "https" { return isWeb(url) }
        return scheme != "subview" && url.utf8.count > scheme.utf8.count + 1
    }

    /// Whether a text is a valid id: 1 to 64 letters, digits, `-`, `_` and `.` of ASCII.
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        let letters = text.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        return letters && !text.isEmpty && text.utf8.count <= 64
    }

    private static func scheme(of url: String) -> String? {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon]
        let isScheme = scheme.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isScheme, scheme.first?.isLetter == true else { return nil }
        return scheme.lowercased()
    }

    private static func isClean(_ url: String) -> Bool {
        url.utf8.count <= 2_048 && LinkCharacters.areSafe(in: url)
    }
}
