import InlayWire

extension OpenRTB {
    /// The device that shows the ad.
    package struct Device: RTBObject {
        /// Where it is.
        package var geo: Geo?
        /// 1: asked not to be tracked.
        package var doNotTrack: Int?
        /// 1: tracking is limited by the user.
        package var limitsTracking: Int?
        /// What its browser calls itself.
        package var userAgent: String?
        /// The same in parts.
        package var structuredUserAgent: JSONValue?
        /// IPv4 address.
        package var ip: String?
        /// IPv6 address.
        package var ipv6: String?
        /// 1 mobile, 4 phone, 5 tablet.
        package var deviceType: Int?
        /// Who made it.
        package var make: String?
        /// What it is.
        package var model: String?
        /// Its system.
        package var system: String?
        /// Its version.
        package var systemVersion: String?
        /// Of the device.
        package var hardwareVersion: String?
        /// In pixels.
        package var height: Int?
        /// In pixels.
        package var width: Int?
        /// Of the screen.
        package var pixelsPerInch: Int?
        /// Pixels for each point.
        package var pixelRatio: Double?
        /// 1: it runs.
        package var hasJavaScript: Int?
        /// 1: script can ask for the position.
        package var givesPosition: Int?
        /// ISO 639-1.
        package var language: String?
        /// BCP 47; in place of `language`.
        package var languageTag: String?
        /// Who carries its data.
        package var carrier: String?
        /// The same as a code.
        package var carrierCode: String?
        /// 2 is Wi-Fi.
        package var connection: Int?
        /// The advertising id; never an empty one.
        package var advertisingID: String?
        /// Out of date; never sent, read so that it can be taken out.
        package var hardwareSHA1: String?
        /// As above.
        package var hardwareMD5: String?
        /// As above.
        package var platformSHA1: String?
        /// As above.
        package var platformMD5: String?
        /// As above.
        package var macSHA1: String?
        /// As above.
        package var macMD5: String?
        package var ext: JSONValue?

        package init() {}

        package mutating func fields<Fields: RTBFields>(_ fields: inout Fields) {
            hardwareFields(&fields)
            identityFields(&fields)
        }

        private mutating func hardwareFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.object("geo", &geo)
            fields.integer("dnt", &doNotTrack)
            fields.integer("lmt", &limitsTracking)
            fields.text("ua", &userAgent)
            fields.json("sua", &structuredUserAgent)
            fields.text("ip", &ip)
            fields.text("ipv6", &ipv6)
            fields.integer("devicetype", &deviceType)
            fields.text("make", &make)
            fields.text("model", &model)
            fields.text("os", &system)
            fields.text("osv", &systemVersion)
            fields.text("hwv", &hardwareVersion)
            fields.integer("h", &height)
            fields.integer("w", &width)
            fields.integer("ppi", &pixelsPerInch)
            fields.double("pxratio", &pixelRatio)
            fields.integer("js", &hasJavaScript)
            fields.integer("geofetch", &givesPosition)
            fields.text("language", &language)
        }

        private mutating func identityFields<Fields: RTBFields>(_ fields: inout Fields) {
            fields.text("langb", &languageTag)
            fields.text("carrier", &carrier)
            fields.text("mccmnc", &carrierCode)
            fields.integer("connectiontype", &connection)
            fields.text("ifa", &advertisingID)
            fields.text("didsha1", &hardwareSHA1)
            fields.text("didmd5", &hardwareMD5)
            fields.text("dpidsha1", &platformSHA1)
            fields.text("dpidmd5", &platformMD5)
            fields.text("macsha1", &macSHA1)
            fields.text("macmd5", &macMD5)
        }
    }
}
