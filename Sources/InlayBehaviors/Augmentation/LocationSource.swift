import Foundation
@_spi(Inlay) public import InlayWire

/// A source of the device's location, for example the system's location service.
public protocol LocationSource: Sendable {
    /// Returns a new fix. It needs no time limit of its own: the time-outs of the settings end the wait.
    func fix() async throws -> LocationFix

    /// Returns the place at the coordinates.
    func place(at coordinates: Coordinates) async throws -> Place
}

/// A point on earth in degrees (WGS 84).
public struct Coordinates: Hashable, Sendable {
    /// Degrees north, -90...90.
    public var latitude: Double
    /// Degrees east, -180...180.
    public var longitude: Double

    /// A point in degrees.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the distance to another point over the surface of the earth, taken as a sphere, in metres.
    public func metres(to other: Coordinates) -> Double {
        let (from, to) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let (north, east) = (sin((to - from) / 2), sin((other.longitude - longitude) * .pi / 360))
        let square = north * north + cos(from) * cos(to) * east * east
        return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
    }
}

/// Measured coordinates with their time.
public struct LocationFix: Hashable, Sendable {
    /// The point.
    public var coordinates: Coordinates
    /// The time of the fix, by the device's clock.
    public var time: Timestamp

    /// A fix with its time.
    public init(_ coordinates: Coordinates, time: Timestamp) {
        self.coordinates = coordinates
        self.time = time
    }
}

/// The name and address of a place.
public struct Place: Hashable, Sendable {
    /// The value of `Location Address`, for example `Stromness KW16, United Kingdom (GB)`.
    public var address: String?
    /// The value of `Location Name`.
    public var name: String?

    /// A place; unknown values are `nil`.
    public init(address: String? = nil, name: String? = nil) {
        self.address = address
        self.name = name
    }
}
