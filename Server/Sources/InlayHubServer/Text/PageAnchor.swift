import Foundation
@_spi(Inlay) import InlayWire

/// An id within an author's text, and the links to it.
///
/// In the page, the id begins with ``prefix``. Therefore no id of a text equals an id of the page's template or hides a
/// property of the document or the window (HTML, section 7.3.3, named access).
struct PageAnchor: Hashable {
    /// The prefix in pages of the ids from texts.
    static let prefix = "user-content-"
    /// The maximum length of an id, in UTF-8 bytes, without the prefix.
    static let maximumBytes = 200

    /// The id as its author wrote it, in the normal form NFC: browsers compare the ids of links by code points.
    let name: String

    /// Reads an id, percent-encoded or not. Returns `nil` when the id is empty, longer than ``maximumBytes``, or has
    /// white space or control characters.
    init?(id text: String) {
        let decoded = text.removingPercentEncoding ?? text
        let name = decoded.hasPrefix(Self.prefix) ? String(decoded.dropFirst(Self.prefix.count)) : decoded
        // An id that can be percent-decoded again would be read as another id the next time.
        guard (1...Self.maximumBytes).contains(name.utf8.count),
            (name.removingPercentEncoding ?? name) == name,
            !name.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.properties.generalCategory == .control
            })
        else { return nil }
        self.name = name.precomposedStringWithCanonicalMapping
    }

    /// Reads the URL of a link within the page, `#name`. Returns `nil` for a link to the top of the page.
    init?(link: String) {
        guard link.hasPrefix("#"), !Self.leadsToTop(link) else { return nil }
        self.init(id: String(link.dropFirst()))
    }

    /// The id in the page.
    var id: String { Self.prefix + name }

    /// The URL of a link to the id within the page.
    var link: String { "#" + PercentEncoding.encode(id) }

    /// Whether a link leads to the top of the page (HTML, section 7.4.6.4).
    static func leadsToTop(_ link: String) -> Bool { ["#", "#top"].contains(link.lowercased()) }
}
