import InlayCore
import InlayWire

/// Remembers where the device was, and asks again when that is too old.
actor LocationKeeper {
    private let source: any LocationSource
    private let settings: BehaviorSettings.Location
    private let clock: any SessionClock
    private let work: SessionWork
    private let news = LocationNews()
    private var last: LocationFix?
    private var place: (Coordinates, Place)?

    init(
        _ source: any LocationSource, _ settings: BehaviorSettings.Location, clock: any SessionClock,
        work: SessionWork
    ) {
        (self.source, self.settings, self.clock, self.work) = (source, settings, clock, work)
    }

    /// Where the device is, from memory while that is fresh; `nil` when it was not found out in time.
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

    /// What is there; `nil` when it was not found out in time.
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

    /// A fix that the system told by itself.
    func report(_ fix: LocationFix) {
        last = fix
        news.report(fix, filter: settings.distanceFilter)
    }

    /// The fixes that are news: far enough from the one before. Ends with the session.
    nonisolated func updates() -> AsyncStream<LocationFix> { news.observe() }

    /// Whether a fix is young enough to be used. One from the future is not.
    private func isFresh(_ fix: LocationFix) -> Bool {
        let age = clock.now() - fix.time
        return age >= .zero && age <= settings.cacheLifespan
    }
}
