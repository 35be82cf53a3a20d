@_spi(Inlay) import InlayWire

/// The checked target of a link.
///
/// A URL that is not known to be harmless gives no target: the link's text is shown without a link.
@_spi(Inlay) public enum LinkTarget: Hashable, Sendable {
    /// A URL with http, https, mailto or tel, as a browser will read it.
    case address(String)
    /// A subview of the same card, written `subview:<id>`.
    case subview(String)

    /// The maximum number of UTF-8 bytes of a URL; a longer one gives no target.
    public static let maximumAddressLength = 4096

    /// Creates the target of a URL; `nil` for other schemes, and without a scheme or with a hidden one.
    ///
    /// Browsers drop tabs and line ends inside an address and spaces before it, so `java\nscript:` is
    /// `javascript:` to them. Any control character or space therefore makes the address invalid.
    public init?(_ address: String) {
        let text = Self.trimmed(address)
        guard text.utf8.count <= Self.maximumAddressLength, let (scheme, rest) = Self.split(text) else {
            return nil
        }
        switch scheme {
        case "http", "https":
            guard rest.hasPrefix("//"), rest.utf8.count > 2, !rest.hasPrefix("///") else { return nil }
            self = .address("\(scheme):\(rest)")
        case "mailto", "tel":
            guard !rest.isEmpty else { return nil }
            self = .address("\(scheme):\(rest)")
        case "subview":
            guard !rest.isEmpty else { return nil }
            self = .subview(rest)
        default: return nil
        }
    }

    /// Returns the URL if it is http or https, for images; otherwise `nil`.
    public static func web(_ address: String) -> String? {
        guard case .address(let text)? = LinkTarget(address), text.hasPrefix("http") else { return nil }
        return text
    }

    /// Whether the app may be asked to open the URL: not with schemes that run code or read local data.
    public static func isForApp(_ address: String) -> Bool {
        let text = trimmed(address)
        guard text.utf8.count <= maximumAddressLength, let (scheme, rest) = split(text) else { return false }
        let refused: Set = [
            "javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source", "subview",
        ]
        return !rest.isEmpty && !refused.contains(scheme)
    }

    private static func trimmed(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while scalars.first == " " { scalars.removeFirst() }
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }

    /// Splits a URL into the lower-case scheme and the text after its colon. `nil` without a scheme, or with a
    /// character that browsers remove or that no URL may contain.
    private static func split(_ text: String) -> (scheme: String, rest: String)? {
        let scalars = text.unicodeScalars
        guard LinkCharacters.areSafe(in: text), let colon = scalars.firstIndex(of: ":") else { return nil }
        let scheme = scalars[..<colon]
        guard let first = scheme.first, first.isASCIILetter else { return nil }
        guard
            scheme.allSatisfy({
                $0.isASCIILetter || ("0"..."9").contains($0) || "+-.".unicodeScalars.contains($0)
            })
        else { return nil }
        return (String(scheme).lowercased(), String(scalars[scalars.index(after: colon)...]))
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
