public import InlayWire

/// How an ad's own parts look; the app decides. The ad itself looks as its maker made it.
public struct AdLook: Codable, Hashable, Sendable {
    /// Words in place of Inlay's.
    public var words: [AdString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme

    /// A look; by default in Inlay's words.
    public init(words: [AdString: String] = [:], theme: CardTheme = CardTheme()) {
        self.words = words
        self.theme = theme
    }

    func text(_ string: AdString) -> String { words[string] ?? string.text }
}
