import Foundation
@_spi(Inlay) import InlayWire

/// An id within an author's text, and the links to it.
///
/// In the page it begins with ``prefix``. So no id of a text is one of the page's template, and none stands for a
/// property of the document or the window (HTML, section 7.3.3, named access).
struct PageAnchor: Hashable {
    /// The beginning of the ids of texts in pages.
    static let prefix = "user-content-"
    /// The maximum length of an id, in UTF-8 bytes, without the prefix.
    static let maximumBytes = 200

    /// The id as its author wrote it, in the normal form NFC: browsers compare the ids of links by code points.
    let name: String

    /// Reads an id, percent-encoded or not; `nil` for an empty or a longer one, and for one with white space or
    /// control characters.
    init?(id text: String) {
        let decoded = text.removingPercentEncoding ?? text
        let name = decoded.hasPrefix(Self.prefix) ? String(decoded.dropFirst(Self.prefix.count)) : decoded
        // An id that can be decoded once more would be another id when the page is read again.
        guard (1...Self.maximumBytes).contains(name.utf8.count),
            (name.removingPercentEncoding ?? name) == name,
            !name.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else { return nil }
        self.name = name.precomposedStringWithCanonicalMapping
    }

    /// Reads the address of a link within the page, `#name`; `nil` for one to the top of the page.
    init?(link: String) {
        guard link.hasPrefix("#"), !Self.leadsToTop(link) else { return nil }
        self.init(id: String(link.dropFirst()))
    }

    /// The id in the page.
    var id: String { Self.prefix + name }

    /// The address of a link to it in the page.
    var link: String { "#" + PercentEncoding.encode(id) }

    /// Whether a link leads to the top of the page (HTML, section 7.4.6.4).
    static func leadsToTop(_ link: String) -> Bool { ["#", "#top"].contains(link.lowercased()) }
}
