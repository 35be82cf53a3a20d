public import InlayWire

/// How a set-up is shown; the app decides.
public struct SetupLook: Codable, Hashable, Sendable {
    /// How the screens come.
    public enum Presentation: String, Codable, Hashable, Sendable, CaseIterable {
        /// Over everything, with a cross to close.
        case modal
        /// As further screens of the app's own way, with an arrow back.
        case pushed
    }

    /// One screen of the tips.
    public struct Tip: Codable, Hashable, Sendable {
        /// What it is about.
        public var title: String
        /// A sentence or two.
        public var text: String

        /// A tip.
        public init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    /// How the screens come; modal unless set.
    public var presentation: Presentation
    /// Which colours are worn; `nil`, the default, wears the device's.
    public var colorScheme: SurfaceEnvironment.ColorScheme?
    /// Words in place of Inlay's.
    public var words: [SetupString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme
    /// What a screen reader says for the logo; usually the maker's name.
    public var logoText: String
    /// The tips; `nil`, the default, shows Inlay's three.
    public var tips: [Tip]?
    /// Whether the platform's status bar stays over the screens; for the host, a page has none.
    public var showsStatusBar: Bool
    /// CSS pixels in an inch of this screen. 96, the default, never makes the flashing square larger than it
    /// may be on a phone; an app that knows its screen gives the device more to look at.
    public var pixelsPerInch: Double

    /// A look; by default modal, in the device's colours, in Inlay's words.
    public init(
        presentation: Presentation = .modal, colorScheme: SurfaceEnvironment.ColorScheme? = nil,
        words: [SetupString: String] = [:], theme: CardTheme = CardTheme(), logoText: String = "",
        tips: [Tip]? = nil, showsStatusBar: Bool = true, pixelsPerInch: Double = 96
    ) {
        self.presentation = presentation
        self.colorScheme = colorScheme
        self.words = words
        self.theme = theme
        self.logoText = logoText
        self.tips = tips
        self.showsStatusBar = showsStatusBar
        self.pixelsPerInch = pixelsPerInch
    }

    /// The largest side of the flashing square, in millimetres: below the area that WCAG 2.3.1 allows.
    public static let patchMillimetres = 19.0

    /// The side of the flashing square in whole CSS pixels.
    public var patchPixels: Int {
        let perInch = pixelsPerInch.isFinite ? min(max(pixelsPerInch, 72), 400) : 96
        return Int(Self.patchMillimetres / 25.4 * perInch)
    }

    /// The tips to show.
    public var shownTips: [Tip] {
        tips ?? [
            Tip(title: text(.tip1Title), text: text(.tip1Text)),
            Tip(title: text(.tip2Title), text: text(.tip2Text)),
            Tip(title: text(.tip3Title), text: text(.tip3Text)),
        ]
    }

    /// The words of a string, with its places filled.
    func text(_ string: SetupString, _ values: [String: String] = [:]) -> String {
        let words = words[string] ?? string.text
        guard !values.isEmpty else { return words }
        return VariableTemplate.fill(words) { name, _ in values[name] ?? "" }
    }
}
