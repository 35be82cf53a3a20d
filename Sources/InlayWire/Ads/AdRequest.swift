/// An app's request for an ad: the seven keys of YABBI's documented request, and on Inlay's own route the key `ext`.
///
/// All seven are always written; an unknown `ifa` is an empty string, an unknown `geo` is null.
@_spi(Inlay) public struct AdRequest: Hashable, Sendable {
    /// The device's advertising id; empty when it is not known, not yet known, or not allowed.
    public var ifa: String
    /// The publisher's id, a UUID from the Workbench.
    public var pubID: String
    /// The ad unit's id, a UUID from the Workbench.
    public var unitID: String
    /// The app's technical name, for example `com.example.ferries`.
    public var bundle: String
    /// The user agent of the device's web view.
    public var userAgent: String
    /// The app's name as users see it.
    public var appName: String
    /// The device's location; `nil` when it is unknown.
    public var geo: AdGeo?
    /// Values beyond the documented request; `nil` leaves the key out.
    public var ext: AdRequestExtension?

    /// A request; by default without an advertising id, a location and an extension.
    public init(
        ifa: String = "", pubID: String, unitID: String, bundle: String, userAgent: String, appName: String,
        geo: AdGeo? = nil, ext: AdRequestExtension? = nil
    ) {
        self.ifa = ifa
        self.pubID = pubID
        self.unitID = unitID
        self.bundle = bundle
        self.userAgent = userAgent
        self.appName = appName
        self.geo = geo
        self.ext = ext
    }
}

extension AdRequest: Codable {
    private enum Key: String, CodingKey {
        case ifa, pubID, unitID, bundle, userAgent, appName, geo, ext
    }

    /// Decodes a request. `pubID` and `unitID` are required; other strings that are missing or null become empty.
    /// A value of a wrong type is an error, but an unreadable `ext` becomes `nil`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try values.decodeIfPresent(String.self, forKey: key) ?? "" }
        pubID = try values.decode(String.self, forKey: .pubID)
        unitID = try values.decode(String.self, forKey: .unitID)
        (ifa, bundle, userAgent) = (try text(.ifa), try text(.bundle), try text(.userAgent))
        appName = try text(.appName)
        geo = try values.decodeIfPresent(AdGeo.self, forKey: .geo)
        ext = values.readable(.ext)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(ifa, forKey: .ifa)
        try values.encode(pubID, forKey: .pubID)
        try values.encode(unitID, forKey: .unitID)
        try values.encode(bundle, forKey: .bundle)
        try values.encode(userAgent, forKey: .userAgent)
        try values.encode(appName, forKey: .appName)
        // Null is written and not left out: the documented key is always there.
        try values.encode(geo, forKey: .geo)
        try values.encodeIfPresent(ext, forKey: .ext)
    }
}

/// The device's location in an ad request.
public struct AdGeo: Codable, Hashable, Sendable {
    /// Degrees north, -90...90.
    public var latitude: Double
    /// Degrees east, -180...180.
    public var longitude: Double
    /// The radius of uncertainty, in metres; never negative.
    public var precision: Double

    /// A location with its radius of uncertainty.
    public init(latitude: Double, longitude: Double, precision: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.precision = precision
    }

    /// Whether the values can be a location on Earth. Operating systems mark an unknown location with a negative
    /// precision.
    public var isPlausible: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && precision >= 0
            && precision.isFinite
    }
}
