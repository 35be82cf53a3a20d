extension AdVideo {
    /// A picture or a page that goes with the video.
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
            /// After the end.
            case endCard
            /// Beside the video while it runs; this player has no such space.
            case beside
        }

        /// Points across; 0 when it does not say.
        public var width: Int
        /// Points down; 0 when it does not say.
        public var height: Int
        /// The content.
        public var content: Content
        /// The times at which this companion may be shown.
        public var rendering: Rendering
        /// The landing page of a click.
        public var clickThrough: String?
        /// Called at a tap.
        public var clickTrackers: [String]
        /// Called when it is drawn.
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
