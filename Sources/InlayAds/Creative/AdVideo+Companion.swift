extension AdVideo {
    /// A picture or a page that goes with the video.
    public struct Companion: Hashable, Sendable {
        /// What it consists of.
        public enum Content: Hashable, Sendable {
            /// A picture at this address.
            case image(String)
            /// A page at this address.
            case frame(String)
            /// Markup.
            case html(String)
        }

        /// When it is shown.
        public enum Rendering: Hashable, Sendable {
            /// Wherever there is room for it.
            case anywhere
            /// After the end.
            case endCard
            /// Beside the video while it runs; there is no such room here.
            case beside
        }

        /// Points across; 0 when it does not say.
        public var width: Int
        /// Points down; 0 when it does not say.
        public var height: Int
        /// What it consists of.
        public var content: Content
        /// When it is shown.
        public var rendering: Rendering
        /// Where a tap leads.
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
