#if canImport(CoreLocation)
    public import CoreLocation
    public import InlayWire

    /// A provider of the system's last known location, where the user has already allowed it. It never shows a prompt
    /// and never starts a measurement.
    public struct SystemAdLocation: AdLocationProvider {
        /// Creates the provider.
        public init() {}

        public func location() async throws -> AdGeo? { await Self.last() }

        @MainActor private static func last() -> AdGeo? {
            guard let place = CLLocationManager().location else { return nil }
            return AdGeo(
                latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
                precision: place.horizontalAccuracy)
        }
    }
#endif
