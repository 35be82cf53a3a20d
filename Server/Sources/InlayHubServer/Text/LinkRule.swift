import Foundation
@_spi(Inlay) import InlayWire

/// The rule for link targets in a hub's texts.
struct LinkRule {
    /// Schemes of the app's own.
    var appSchemes: [String] = []

    private static let outside: Set = ["https", "http", "mailto", "tel"]

    /// The address as it may stay, or `nil`.
    ///
    /// Browsers skip tabs and line breaks inside an address and blanks and controls before it, so
    /// `java\tscript:` is a script; an address with any of them is none here.
    func allowed(_ address: String) -> String? {
        let text = address.trimmingCharacters(in: CharacterSet(charactersIn: " \n"))
        guard (1...2_000).contains(text.utf8.count) else { return nil }
        if text.hasPrefix("#") { return PageAnchor.leadsToTop(text) ? "#" : PageAnchor(link: text)?.link }
        guard LinkCharacters.areSafe(in: text), let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        if scheme == HubReference.scheme { return HubReference(uri: text)?.uri }
        if Self.outside.contains(scheme) || appSchemes.contains(scheme) { return text }
        return nil
    }
}
