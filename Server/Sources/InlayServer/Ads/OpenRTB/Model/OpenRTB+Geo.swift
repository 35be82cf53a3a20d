import InlayWire

extension OpenRTB {
    /// A place on earth.
    package struct Geo: RTBObject {
        /// -90 to 90.
        package var latitude: Double?
        /// -180 to 180.
        package var longitude: Double?
        /// 1 from the device, 2 from the address, 3 told by the user.
        package var kind: Int?
        /// Radius, when it is from the device.
        package var accuracyMeters: Int?
        /// How old it is.
        package var ageSeconds: Int?
        /// Who looked it up.
        package var addressService: Int?
        /// ISO 3166-1 alpha-3.
        package var country: String?
        /// ISO 3166-2.
        package var region: String?
        /// Market area.
        package var metro: String?
        /// UN code for trade.
        package var city: String?
        /// Postal code.
        package var zip: String?
        /// Local time.
        package var utcOffsetMinutes: Int?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.double("lat", &latitude)
            fields.double("lon", &longitude)
            fields.integer("type", &kind)
            fields.integer("accuracy", &accuracyMeters)
            fields.integer("lastfix", &ageSeconds)
            fields.integer("ipservice", &addressService)
            fields.text("country", &country)
            fields.text("region", &region)
            fields.text("metro", &metro)
            fields.text("city", &city)
            fields.text("zip", &zip)
            fields.integer("utcoffset", &utcOffsetMinutes)
        }
    }
}
