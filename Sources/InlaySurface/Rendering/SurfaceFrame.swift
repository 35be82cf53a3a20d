/// Everything a page shows at one moment: the root's attributes, and regions of HTML by key.
@_spi(Inlay) public struct SurfaceFrame: Codable, Hashable, Sendable {
    /// A part of the page that is identified by its key. While a region with the key exists, the page updates it
    /// in place and keeps what the user typed, the focus and the scroll position.
    public struct Region: Codable, Hashable, Sendable {
        /// The key, unique in the frame.
        public var key: String
        /// The slot of the page that shows the region.
        public var slot: Slot
        /// The HTML of exactly one element.
        public var html: String

        /// A region of one element.
        public init(key: String, slot: Slot, html: String) {
            self.key = key
            self.slot = slot
            self.html = html
        }
    }

    /// The slots of a page, in reading order.
    public enum Slot: String, Codable, Hashable, Sendable, CaseIterable {
        case top, list, bottom, overlay, toasts
    }

    /// The attributes of the root element.
    public struct Root: Codable, Hashable, Sendable {
        /// The page's title.
        public var title: String
        /// Light or dark, decided by configuration, theme and device together.
        public var colorScheme: SurfaceEnvironment.ColorScheme
        /// The text direction.
        public var layoutDirection: SurfaceEnvironment.LayoutDirection
        /// The language as a BCP 47 tag.
        public var locale: String
        /// Custom properties with their checked values, for example `--accent`: `#0E5F66`.
        public var style: [String: String]

        /// The attributes of a root element; an empty `style` gives Inlay's default look.
        public init(
            title: String, colorScheme: SurfaceEnvironment.ColorScheme = .light,
            layoutDirection: SurfaceEnvironment.LayoutDirection = .leftToRight, locale: String = "en",
            style: [String: String] = [:]
        ) {
            self.title = title
            self.colorScheme = colorScheme
            self.layoutDirection = layoutDirection
            self.locale = locale
            self.style = style
        }
    }

    /// The attributes of the root element.
    public var root: Root
    /// The regions; those of one slot are shown in this order.
    public var regions: [Region]

    /// A frame; of regions with the same key only the first is kept.
    public init(root: Root, regions: [Region]) {
        self.root = root
        var seen = Set<String>()
        self.regions = regions.filter { seen.insert($0.key).inserted }
    }

    /// The regions of one slot, in order.
    public func regions(in slot: Slot) -> [Region] { regions.filter { $0.slot == slot } }
}
