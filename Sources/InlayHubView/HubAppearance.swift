@_spi(Inlay) public import InlaySurface
@_spi(Inlay) public import InlayWire

/// The app's settings for the appearance of a hub.
public struct HubAppearance: Codable, Hashable, Sendable {
    /// The form of a hub on screen.
    public enum Presentation: String, Codable, Hashable, Sendable {
        /// Over everything, with a bar of its own: back, forward, title, close.
        case modal
        /// Inside of a view of the app, which has the buttons.
        case nested
    }

    /// The colour scheme of a hub.
    public enum ColorScheme: String, Codable, Hashable, Sendable, CaseIterable {
        case dark, light
        /// The colour scheme of the device.
        case device
    }

    /// The form of the hub on screen.
    public var presentation: Presentation
    /// The colour scheme; the device's unless set.
    public var colorScheme: ColorScheme
    /// Whether the bar shows the mark.
    public var showsMark: Bool
    /// The background of pages that set none of their own.
    public var background: SurfaceColor?
    /// Texts in place of Inlay's.
    public var strings: [HubString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme

    /// An appearance; by default modal, in the device's colours, in Inlay's texts.
    public init(
        presentation: Presentation = .modal, colorScheme: ColorScheme = .device, showsMark: Bool = true,
        background: SurfaceColor? = nil, strings: [HubString: String] = [:], theme: CardTheme = CardTheme()
    ) {
        self.presentation = presentation
        self.colorScheme = colorScheme
        self.showsMark = showsMark
        self.background = background
        self.strings = strings
        self.theme = theme
    }

    func text(_ string: HubString) -> String { strings[string] ?? string.text }

    /// Returns a text with the value in place of its variable.
    func text(_ string: HubString, _ variable: String, _ value: String) -> String {
        VariableTemplate.fill(text(string)) { name, _ in name == variable ? value : "" }
    }

    func scheme(_ environment: SurfaceEnvironment) -> SurfaceEnvironment.ColorScheme {
        switch colorScheme {
        case .dark: .dark
        case .light: .light
        case .device: environment.colorScheme
        }
    }
}
