import InlayCore
@_spi(Inlay) import InlayWire

/// A cache of the device's location, which requests the location again when it is too old.
actor LocationCache {
    private let source: any LocationSource
    private let settings: BehaviorSettings.Location
    private let clock: any SessionClock
    private let work: SessionWork
    private let observers = LocationObservers()
    private var last: LocationFix?
    private var place: (Coordinates, Place)?

    init(
        _ source: any LocationSource, _ settings: BehaviorSettings.Location, clock: any SessionClock,
        work: SessionWork
    ) {
        (self.source, self.settings, self.clock, self.work) = (source, settings, clock, work)
    }

    /// Returns the device's location, the stored fix while that is fresh; `nil` when none was found in time.
    func fix() async -> LocationFix? {
        if let last, isFresh(last) { return last }
        let source = source
        let found = await TimeLimit.run(settings.acquisitionTimeout, clock: clock, work: work) {
            try? await source.fix()
        }
        guard let fix = found ?? nil else { return nil }
        report(fix)
        return fix
    }

    /// Returns the place at the coordinates; `nil` when it was not found in time.
    func place(at coordinates: Coordinates) async -> Place? {
        if let place, place.0 == coordinates { return place.1 }
        let source = source
        let found = await TimeLimit.run(settings.placemarkTimeout, clock: clock, work: work) {
            try? await source.place(at: coordinates)
        }
        guard let result = found ?? nil else { return nil }
        place = (coordinates, result)
        return result
    }

    /// Stores a fix and sends it to the observers of `updates()`.
    func report(_ fix: LocationFix) {
        last = fix
        observers.report(fix, filter: settings.distanceFilter)
    }

    /// Returns a stream of fixes, each at least the distance filter away from the one before. It ends with the
    /// session.
    nonisolated func updates() -> AsyncStream<LocationFix> { observers.observe() }

    /// Whether a fix is recent enough to be used. A fix from the future is not.
    private func isFresh(_ fix: LocationFix) -> Bool {
        let age = clock.now() - fix.time
        return age >= .zero && age <= settings.cacheLifespan
    }
}

/// The observers of fixes. A fix that is too near the last reported one is not sent.
private final class LocationObservers: Sendable {
    private let reported = Locked<Coordinates?>(nil)
    private let observers = Observers<LocationFix>(.bufferingNewest(64))

    /// Reports the fix unless it is nearer than `filter` metres to the last reported one.
    func report(_ fix: LocationFix, filter: Double) {
        let isFarEnough = reported.withLock { reported in
            if let reported, reported.metres(to: fix.coordinates) < filter { return false }
            reported = fix.coordinates
            return true
        }
        if isFarEnough { observers.yield(fix) }
    }

    func observe() -> AsyncStream<LocationFix> { observers.stream() }
}
