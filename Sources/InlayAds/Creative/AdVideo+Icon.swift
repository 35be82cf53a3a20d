extension AdVideo {
    /// An icon of VAST, drawn over the video.
    public struct Icon: Hashable, Sendable {
        /// The programme that the icon stands for, for example `AdChoices`.
        public var program: String?
        /// The width in points; 0 when none is stated.
        public var width: Int
        /// The height in points; 0 when none is stated.
        public var height: Int
        /// The horizontal position: `left`, `right` or points.
        public var x: String
        /// The vertical position: `top`, `bottom` or points.
        public var y: String
        /// The address of the picture.
        public var image: String
        /// The time at which the icon appears, from the start of the video.
        public var offset: Duration?
        /// The time for which the icon is shown; `nil` shows it until the end of the video.
        public var duration: Duration?
        /// The landing page of a click.
        public var clickThrough: String?
        /// The addresses to call at a tap.
        public var clickTrackers: [String]
        /// The addresses to call when the icon is on screen.
        public var views: [String]

        /// An icon with its picture.
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
