@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The app's settings for the appearance of a set-up.
public struct SetupAppearance: Codable, Hashable, Sendable {
    /// The presentation of the screens.
    public enum Presentation: String, Codable, Hashable, Sendable, CaseIterable {
        /// Modal over the app, with a close button.
        case modal
        /// Pushed onto the app's navigation stack, with a back button.
        case pushed
    }

    /// One screen of the tips.
    public struct Tip: Codable, Hashable, Sendable {
        /// The title.
        public var title: String
        /// The text, one or two sentences.
        public var text: String

        /// Creates a tip.
        public init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    /// The presentation of the screens; modal unless set.
    public var presentation: Presentation
    /// The colour scheme; `nil`, the default, follows the device.
    public var colorScheme: SurfaceEnvironment.ColorScheme?
    /// Texts that replace Inlay's.
    public var strings: [SetupString: String]
    /// Colours, corners and fonts that replace Inlay's.
    public var theme: CardTheme
    /// The label of the logo for screen readers; usually the maker's name.
    public var logoText: String
    /// The tips; `nil`, the default, shows Inlay's three.
    public var tips: [Tip]?
    /// Whether the platform's status bar stays visible; only hosts read this, because a page has no status bar.
    public var showsStatusBar: Bool
    /// The CSS pixels per inch of this screen, used within 72...400. With the default, 96, the flashing square is never
    /// larger than allowed on a phone; an app that knows its screen makes the square larger and easier to read.
    public var pixelsPerInch: Double

    /// An appearance; by default modal, in the device's colours, in Inlay's texts.
    public init(
        presentation: Presentation = .modal, colorScheme: SurfaceEnvironment.ColorScheme? = nil,
        strings: [SetupString: String] = [:], theme: CardTheme = CardTheme(), logoText: String = "",
        tips: [Tip]? = nil, showsStatusBar: Bool = true, pixelsPerInch: Double = 96
    ) {
        self.presentation = presentation
        self.colorScheme = colorScheme
        self.strings = strings
        self.theme = theme
        self.logoText = logoText
        self.tips = tips
        self.showsStatusBar = showsStatusBar
        self.pixelsPerInch = pixelsPerInch
    }

    /// The maximum side of the flashing square, in millimetres: its area is below the limit of WCAG 2.3.1.
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

    /// Returns the text of a string, with `values` in place of its `{{…}}` variables.
    func text(_ string: SetupString, _ values: [String: String] = [:]) -> String {
        let text = strings[string] ?? string.text
        guard !values.isEmpty else { return text }
        return VariableTemplate.fill(text) { name, _ in values[name] ?? "" }
    }
}
