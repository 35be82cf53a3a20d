import InlayWire

extension OpenRTB {
    /// A banner that may fill an impression.
    package struct Banner: RTBObject {
        /// Sizes that fit.
        package var formats: [Format] = []
        /// Exact width in points.
        package var width: Int?
        /// Exact height in points.
        package var height: Int?
        /// Types of banner that are not wanted.
        package var blockedTypes: [Int]?
        /// Attributes of creatives that are not wanted.
        package var blockedAttributes: [Int]?
        /// Where on the screen; 7 is full screen.
        package var position: Int?
        /// Types of content that are shown.
        package var mimes: [String]?
        /// 1: not in an iframe.
        package var isTopFrame: Int?
        /// Where it may grow.
        package var expandDirections: [Int]?
        /// Frameworks: 5 is MRAID 2, 6 is MRAID 3, 7 is OMID.
        package var apis: [Int]?
        /// For companions.
        package var id: String?
        /// For companions: 1 replaces the video at its end.
        package var isEndCard: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.objects("format", &formats)
            fields.integer("w", &width)
            fields.integer("h", &height)
            fields.integers("btype", &blockedTypes)
            fields.integers("battr", &blockedAttributes)
            fields.integer("pos", &position)
            fields.texts("mimes", &mimes)
            fields.integer("topframe", &isTopFrame)
            fields.integers("expdir", &expandDirections)
            fields.integers("api", &apis)
            fields.text("id", &id)
            fields.integer("vcm", &isEndCard)
        }
    }
}
