public import InlayWire

/// How a hub is shown; the app decides.
public struct HubLook: Codable, Hashable, Sendable {
    /// Whether the hub has the screen for itself.
    public enum Presentation: String, Codable, Hashable, Sendable {
        /// Over everything, with a bar of its own: back, forward, title, close.
        case modal
        /// Inside of a view of the app, which has the buttons.
        case nested
    }

    /// Which colours are worn.
    public enum ColorScheme: String, Codable, Hashable, Sendable, CaseIterable {
        case dark, light
        /// As the device has it.
        case device
    }

    /// Whether the hub has the screen for itself.
    public var presentation: Presentation
    /// Which colours are worn; the device's unless set.
    public var colorScheme: ColorScheme
    /// Whether the bar shows the mark.
    public var showsMark: Bool
    /// What is behind pages that set no background of their own.
    public var background: SurfaceColor?
    /// Words in place of Inlay's.
    public var words: [HubString: String]
    /// Colours, corners and type in place of Inlay's.
    public var theme: CardTheme

    /// A look; by default modal, in the device's colours, in Inlay's words.
    public init(
        presentation: Presentation = .modal, colorScheme: ColorScheme = .device, showsMark: Bool = true,
        background: SurfaceColor? = nil, words: [HubString: String] = [:], theme: CardTheme = CardTheme()
    ) {
        self.presentation = presentation
        self.colorScheme = colorScheme
        self.showsMark = showsMark
        self.background = background
        self.words = words
        self.theme = theme
    }

    func text(_ string: HubString) -> String { words[string] ?? string.text }

    func scheme(_ environment: SurfaceEnvironment) -> SurfaceEnvironment.ColorScheme {
        switch colorScheme {
        case .dark: .dark
        case .light: .light
        case .device: environment.colorScheme
        }
    }
}
