#if canImport(CoreLocation)
    public import CoreLocation
    public import InlayWire

    /// The place that the system knew last, where the user allowed it already; never asks and never measures.
    public struct SystemAdLocation: AdLocationProvider {
        /// The system's last place.
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
