@_spi(Inlay) public import InlayWire

/// The settings of the device, as its page reports them.
public struct SurfaceEnvironment: Codable, Hashable, Sendable {
    /// Light or dark.
    public enum ColorScheme: String, Codable, Hashable, Sendable { case light, dark }
    /// The direction of text.
    public enum LayoutDirection: String, Codable, Hashable, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// The device's colour scheme; a configuration may override it.
    public var colorScheme: ColorScheme
    /// The user's text size.
    @_spi(Inlay) public var contentSize: ContentSize
    /// A BCP 47 language tag, for dates and for the page's `lang`.
    public var locale: String
    /// The direction of text.
    public var layoutDirection: LayoutDirection
    /// The IANA name of a time zone, for dates; an unknown name means UTC.
    public var timeZone: String
    /// Whether the user prefers reduced motion.
    public var reducedMotion: Bool

    /// Creates an environment; by default that of a light, left-to-right, English device at the default text size.
    @_spi(Inlay) public init(
        colorScheme: ColorScheme = .light, contentSize: ContentSize = .large, locale: String = "en",
        layoutDirection: LayoutDirection = .leftToRight, timeZone: String = "UTC", reducedMotion: Bool = false
    ) {
        self.colorScheme = colorScheme
        self.contentSize = contentSize
        self.locale = locale
        self.layoutDirection = layoutDirection
        self.timeZone = timeZone
        self.reducedMotion = reducedMotion
    }

    /// Reads the payload of a `ready` or `environment` message. Missing, unknown and mistyped values keep their
    /// defaults, because pages of other versions must still connect.
    public init(payload: JSONValue) {
        self.init()
        if let value = payload["colorScheme"]?.string.flatMap(ColorScheme.init) { colorScheme = value }
        if let value = payload["contentSize"]?.string.flatMap(ContentSize.init) { contentSize = value }
        if let value = payload["layoutDirection"]?.string.flatMap(LayoutDirection.init) {
            layoutDirection = value
        }
        if let value = payload["locale"]?.string, Self.isTag(value) { locale = value }
        if let value = payload["timeZone"]?.string, value.utf8.count <= 64 { timeZone = value }
        if case .bool(let value)? = payload["reducedMotion"] { reducedMotion = value }
    }

    // The tag is written to `lang`, and parsed by Foundation as a locale.
    private static func isTag(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
