/// Where a device is, as an ad request says it.
public struct AdGeo: Codable, Hashable, Sendable {
    /// Degrees north, -90...90.
    public var latitude: Double
    /// Degrees east, -180...180.
    public var longitude: Double
    /// The radius of uncertainty, in metres; never negative.
    public var precision: Double

    /// A place with its uncertainty.
    public init(latitude: Double, longitude: Double, precision: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.precision = precision
    }

    /// Whether this can be a place on Earth. A system that knows nothing says so with a negative precision.
    public var isPlausible: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && precision >= 0
            && precision.isFinite
    }
}
