import Foundation
@_spi(Inlay) import InlayWire

/// The rule for link targets in a hub's texts.
struct LinkRule {
    /// The allowed URL schemes of the app's own.
    var appSchemes: [String] = []

    private static let outside: Set = ["https", "http", "mailto", "tel"]

    /// Returns the URL that the page may contain; `nil` when the link must be removed.
    ///
    /// Browsers ignore tabs and line breaks in a URL, and spaces and control characters before it, so that
    /// `java\tscript:` runs a script. Therefore a URL with such characters is refused.
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
