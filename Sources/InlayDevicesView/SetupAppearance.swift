@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The app's settings for the appearance of a set-up.
public struct SetupAppearance: Codable, Hashable, Sendable {
    /// The presentation of the screens.
    public enum Presentation: String, Codable, Hashable, Sendable, CaseIterable {
        /// Over everything, with a cross to close.
        case modal
        /// As further screens of the app's own way, with an arrow back.
        case pushed
    }

    /// One screen of the tips.
    public struct Tip: Codable, Hashable, Sendable {
        /// The subject.
        public var title: String
        /// A sentence or two.
        public var text: String

        /// A tip.
        public init(title: String, text: String) {
            self.title = title
            self.text = text
        }
    }

    /// The presentation of the screens; modal unless set.
    public var presentation: Presentation
    /// The colour scheme; `nil`, the default, follows the device.
    public var colorScheme: SurfaceEnvironment.ColorScheme?
    /// Texts in place of Inlay's.
    public var strings: [SetupString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme
    /// The label of the logo for screen readers; usually the maker's name.
    public var logoText: String
    /// The tips; `nil`, the default, shows Inlay's three.
    public var tips: [Tip]?
    /// Whether the platform's status bar stays over the screens; for the host, a page has none.
    public var showsStatusBar: Bool
    /// CSS pixels in an inch of this screen. 96, the default, never makes the flashing square larger than it
    /// may be on a phone; an app that knows its screen gives the device more to look at.
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

    /// The text of a string, with its places filled.
    func text(_ string: SetupString, _ values: [String: String] = [:]) -> String {
        let text = strings[string] ?? string.text
        guard !values.isEmpty else { return text }
        return VariableTemplate.fill(text) { name, _ in values[name] ?? "" }
    }
}
