#if canImport(CoreLocation)
    @preconcurrency public import CoreLocation
    public import InlayWire

    /// A source of locations from the system's location service. The app itself has to request the user's permission.
    @MainActor
    public final class SystemLocationSource: NSObject, LocationSource, CLLocationManagerDelegate {
        private let manager = CLLocationManager()
        private var waitingCallers: [CheckedContinuation<LocationFix, any Error>] = []

        /// Creates a source with the accuracy and the distance filter of the settings. An unknown accuracy is the best.
        public init(_ settings: BehaviorSettings.Location = BehaviorSettings.Location()) {
            super.init()
            manager.delegate = self
            manager.distanceFilter = settings.distanceFilter
            manager.desiredAccuracy = Self.accuracies[settings.precisionLevel] ?? kCLLocationAccuracyBest
        }

        public func fix() async throws -> LocationFix {
            try await withCheckedThrowingContinuation { continuation in
                waitingCallers.append(continuation)
                // One request serves all callers that wait.
                if waitingCallers.count == 1 { manager.requestLocation() }
            }
        }

        public nonisolated func place(at coordinates: Coordinates) async throws -> Place {
            let location = CLLocation(latitude: coordinates.latitude, longitude: coordinates.longitude)
            let marks = try await CLGeocoder().reverseGeocodeLocation(location)
            guard let mark = marks.first else { return Place() }
            let town = [mark.locality, mark.administrativeArea].compactMap { $0 }.joined(separator: ", ")
            let zip = [town, mark.postalCode ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
            let country = [mark.country ?? "", mark.isoCountryCode.map { "(\($0))" } ?? ""]
                .filter { !$0.isEmpty }.joined(separator: " ")
            let address = [zip, country].filter { !$0.isEmpty }.joined(separator: ", ")
            return Place(address: address.isEmpty ? nil : address, name: mark.name)
        }

        public nonisolated func locationManager(
            _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
        ) {
            guard let newest = locations.last else { return }
            let fix = LocationFix(
                Coordinates(
                    latitude: newest.coordinate.latitude, longitude: newest.coordinate.longitude),
                time: Timestamp(seconds: newest.timestamp.timeIntervalSince1970))
            // The manager was made on the main thread and calls back there.
            MainActor.assumeIsolated { answer(.success(fix)) }
        }

        public nonisolated func locationManager(
            _ manager: CLLocationManager, didFailWithError error: any Error
        ) {
            MainActor.assumeIsolated { answer(.failure(error)) }
        }

        private func answer(_ result: Result<LocationFix, any Error>) {
            let callers = waitingCallers
            waitingCallers = []
            callers.forEach { $0.resume(with: result) }
        }

        private static let accuracies = [
            "kCLLocationAccuracyBest": kCLLocationAccuracyBest,
            "kCLLocationAccuracyBestForNavigation": kCLLocationAccuracyBestForNavigation,
            "kCLLocationAccuracyNearestTenMeters": kCLLocationAccuracyNearestTenMeters,
            "kCLLocationAccuracyHundredMeters": kCLLocationAccuracyHundredMeters,
            "kCLLocationAccuracyKilometer": kCLLocationAccuracyKilometer,
            "kCLLocationAccuracyThreeKilometers": kCLLocationAccuracyThreeKilometers,
        ]
    }
#endif
