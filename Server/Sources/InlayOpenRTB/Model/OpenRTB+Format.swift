@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// An allowed size of a banner.
    package struct Format: RTBObject {
        /// The width in points.
        package var width: Int?
        /// The height in points.
        package var height: Int?
        /// The width of a size given as a ratio.
        package var widthRatio: Int?
        /// The height of a size given as a ratio.
        package var heightRatio: Int?
        /// The minimum width of a size given as a ratio.
        package var minimumWidth: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.integer("w", &width)
            fields.integer("h", &height)
            fields.integer("wratio", &widthRatio)
            fields.integer("hratio", &heightRatio)
            fields.integer("wmin", &minimumWidth)
        }
    }
}
