extension AdVideo {
    /// A mark over the video.
    public struct Icon: Hashable, Sendable {
        /// The programme that it stands for, for example `AdChoices`.
        public var program: String?
        /// Points across.
        public var width: Int
        /// Points down.
        public var height: Int
        /// The horizontal position: `left`, `right` or points.
        public var x: String
        /// The vertical position: `top`, `bottom` or points.
        public var y: String
        /// The picture.
        public var image: String
        /// The time at which the icon appears, from the start of the video.
        public var offset: Duration?
        /// For how long.
        public var duration: Duration?
        /// The landing page of a click.
        public var clickThrough: String?
        /// Called at a tap.
        public var clickTrackers: [String]
        /// Called when it is drawn.
        public var views: [String]

        /// A mark with its picture.
        public init(
            program: String? = nil, width: Int, height: Int, x: String = "right", y: String = "top",
            image: String, offset: Duration? = nil, duration: Duration? = nil, clickThrough: String? = nil,
            clickTrackers: [String] = [], views: [String] = []
        ) {
            (self.program, self.width, self.height) = (program, width, height)
            (self.x, self.y, self.image) = (x, y, image)
            (self.offset, self.duration, self.clickThrough) = (offset, duration, clickThrough)
            (self.clickTrackers, self.views) = (clickTrackers, views)
        }
    }
}
