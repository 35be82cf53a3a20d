@_spi(Inlay) public import InlayWire
/// The app's texts and colours for what surrounds an ad. The ad itself looks as its maker made it.
public struct AdAppearance: Codable, Hashable, Sendable {
    /// Texts in place of Inlay's.
    public var strings: [AdString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme

    /// An appearance; by default in Inlay's texts.
    public init(strings: [AdString: String] = [:], theme: CardTheme = CardTheme()) {
        self.strings = strings
        self.theme = theme
    }

    func text(_ string: AdString) -> String { strings[string] ?? string.text }
}
