@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A banner that may fill an impression.
    package struct Banner: RTBObject {
        /// The allowed sizes.
        package var formats: [Format] = []
        /// The exact width in points.
        package var width: Int?
        /// The exact height in points.
        package var height: Int?
        /// The blocked types of banner.
        package var blockedTypes: [Int]?
        /// The blocked creative attributes.
        package var blockedAttributes: [Int]?
        /// The position on the screen; 7 is full screen.
        package var position: Int?
        /// The supported media types.
        package var mimes: [String]?
        /// 1 when the banner is not in an iframe.
        package var isTopFrame: Int?
        /// The directions in which the banner may expand.
        package var expandDirections: [Int]?
        /// The supported API frameworks: 5 is MRAID 2, 6 is MRAID 3, 7 is OMID.
        package var apis: [Int]?
        /// The id of a companion.
        package var id: String?
        /// 1 when a companion replaces the video at its end.
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
