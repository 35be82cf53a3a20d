import InlayWire

extension OpenRTB {
    /// A size that fits.
    package struct Format: RTBObject {
        /// In points.
        package var width: Int?
        /// In points.
        package var height: Int?
        /// Of a size given as ratio.
        package var widthRatio: Int?
        /// Of a size given as ratio.
        package var heightRatio: Int?
        /// Least width of a size given as ratio.
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
