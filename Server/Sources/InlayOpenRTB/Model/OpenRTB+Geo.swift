@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// A geographic location.
    package struct Geo: RTBObject {
        /// The latitude, -90 to 90.
        package var latitude: Double?
        /// The longitude, -180 to 180.
        package var longitude: Double?
        /// The source: 1 the device, 2 the IP address, 3 the user.
        package var kind: Int?
        /// The accuracy radius of a location from the device.
        package var accuracyMeters: Int?
        /// The age of the location.
        package var ageSeconds: Int?
        /// The service that looked up the IP address.
        package var addressService: Int?
        /// The country, ISO 3166-1 alpha-3.
        package var country: String?
        /// The region, ISO 3166-2.
        package var region: String?
        /// The market area.
        package var metro: String?
        /// The city, as a UN/LOCODE.
        package var city: String?
        /// The postal code.
        package var zip: String?
        /// The offset of local time from UTC.
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
