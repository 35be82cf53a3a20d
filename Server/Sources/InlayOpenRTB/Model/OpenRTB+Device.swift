@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The device that shows the ad.
    package struct Device: RTBObject {
        /// The location of the device.
        package var geo: Geo?
        /// 1 when the browser asks not to be tracked.
        package var doNotTrack: Int?
        /// 1 when the user limits tracking.
        package var limitsTracking: Int?
        /// The user agent of the browser.
        package var userAgent: String?
        /// The user agent in structured form.
        package var structuredUserAgent: JSONValue?
        /// The IPv4 address.
        package var ip: String?
        /// The IPv6 address.
        package var ipv6: String?
        /// The type of device: 1 mobile, 4 phone, 5 tablet.
        package var deviceType: Int?
        /// The manufacturer.
        package var make: String?
        /// The model.
        package var model: String?
        /// The operating system.
        package var system: String?
        /// The version of the operating system.
        package var systemVersion: String?
        /// The version of the hardware.
        package var hardwareVersion: String?
        /// The height of the screen in pixels.
        package var height: Int?
        /// The width of the screen in pixels.
        package var width: Int?
        /// The resolution of the screen.
        package var pixelsPerInch: Int?
        /// The number of pixels for each point.
        package var pixelRatio: Double?
        /// 1 when JavaScript is supported.
        package var hasJavaScript: Int?
        /// 1 when scripts can use the geolocation API.
        package var givesPosition: Int?
        /// The language of the device, ISO 639-1.
        package var language: String?
        /// The language of the device, BCP 47; excludes `language`.
        package var languageTag: String?
        /// The name of the carrier.
        package var carrier: String?
        /// The carrier's MCC and MNC.
        package var carrierCode: String?
        /// The type of connection; 2 is Wi-Fi.
        package var connection: Int?
        /// The advertising id; `nil` and not empty when there is none.
        package var advertisingID: String?
        /// A deprecated hardware id. Never sent; read so that ``OpenRTB/RequestCheck`` can report it.
        package var hardwareSHA1: String?
        /// A deprecated hardware id, as above.
        package var hardwareMD5: String?
        /// A deprecated platform id, as above.
        package var platformSHA1: String?
        /// A deprecated platform id, as above.
        package var platformMD5: String?
        /// A deprecated MAC address, as above.
        package var macSHA1: String?
        /// A deprecated MAC address, as above.
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
