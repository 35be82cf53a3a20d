@_exported import Foundation

public typealias CLLocationAccuracy = Double
public typealias CLLocationDistance = Double
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = 0
public let kCLLocationAccuracyBest: CLLocationAccuracy = 0
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 0
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 0
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 0
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 0

public struct CLLocationCoordinate2D: Sendable {
    public var latitude = 0.0
    public var longitude = 0.0
}

open class CLLocation: NSObject, @unchecked Sendable {
    public init(latitude: Double, longitude: Double) {}
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    open var horizontalAccuracy: CLLocationAccuracy { 0 }
    open var timestamp: Date { Date() }
}

open class CLPlacemark: NSObject {
    open var name: String? { nil }
    open var locality: String? { nil }
    open var administrativeArea: String? { nil }
    open var postalCode: String? { nil }
    open var country: String? { nil }
    open var isoCountryCode: String? { nil }
}

open class CLGeocoder: NSObject {
    open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] { [] }
}

public protocol CLLocationManagerDelegate: NSObjectProtocol {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
}

open class CLLocationManager: NSObject {
    open weak var delegate: (any CLLocationManagerDelegate)?
    open var distanceFilter: CLLocationDistance = 0
    open var desiredAccuracy: CLLocationAccuracy = 0
    open var location: CLLocation? { nil }
    open func requestLocation() {}
}
