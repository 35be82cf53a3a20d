@_spi(Inlay) public import InlayWire
/// The app's texts and colours for the controls around an ad. The ad itself is shown unchanged.
public struct AdAppearance: Codable, Hashable, Sendable {
    /// The texts that replace Inlay's.
    public var strings: [AdString: String]
    /// The colours, corners and fonts that replace Inlay's.
    public var theme: CardTheme

    /// An appearance; by default with Inlay's texts and theme.
    public init(strings: [AdString: String] = [:], theme: CardTheme = CardTheme()) {
        self.strings = strings
        self.theme = theme
    }

    func text(_ string: AdString) -> String { strings[string] ?? string.text }
}
