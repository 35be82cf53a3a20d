public import InlayWire

/// The documented rule that makes a style's size follow the user's text size.
public enum DynamicType {
    /// No text is smaller than this, whatever the theme says.
    public static let smallest: Double = 1

    /// The size in pixels at which a style is shown.
    ///
    /// A style that does not scale keeps its size. Otherwise the delta comes first, then the style's own
    /// limits; where they contradict each other the minimum wins, because small text hurts more.
    public static func size(of style: CardTypography, at contentSize: ContentSize) -> Double {
        guard style.size.isFinite else { return smallest }
        guard style.isDynamic else { return max(style.size, smallest) }
        var size = style.size + contentSize.delta
        if let maximum = style.maximumSize, maximum.isFinite { size = min(size, maximum) }
        if let minimum = style.minimumSize, minimum.isFinite { size = max(size, minimum) }
        return max(size, smallest)
    }
}
