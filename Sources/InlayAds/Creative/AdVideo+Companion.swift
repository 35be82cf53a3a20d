extension AdVideo {
    /// A companion ad of VAST: a picture or a page that belongs to the video.
    public struct Companion: Hashable, Sendable {
        /// The content of a companion.
        public enum Content: Hashable, Sendable {
            /// A picture at this address.
            case image(String)
            /// A page at this address.
            case frame(String)
            /// Markup.
            case html(String)
        }

        /// The times at which a companion may be shown.
        public enum Rendering: Hashable, Sendable {
            /// Wherever there is space for it.
            case anywhere
            /// After the end of the video.
            case endCard
            /// Beside the video while it plays; the SDK's player has no space for it.
            case beside
        }

        /// The width in points; 0 when none is stated.
        public var width: Int
        /// The height in points; 0 when none is stated.
        public var height: Int
        /// The content.
        public var content: Content
        /// The times at which this companion may be shown.
        public var rendering: Rendering
        /// The landing page of a click.
        public var clickThrough: String?
        /// The addresses to call at a tap.
        public var clickTrackers: [String]
        /// The addresses to call when the companion is on screen.
        public var views: [String]

        /// A companion of this size.
        public init(
            width: Int, height: Int, content: Content, rendering: Rendering = .anywhere,
            clickThrough: String? = nil, clickTrackers: [String] = [], views: [String] = []
        ) {
            (self.width, self.height, self.content) = (width, height, content)
            self.rendering = rendering
            (self.clickThrough, self.clickTrackers, self.views) = (clickThrough, clickTrackers, views)
        }
    }
}
