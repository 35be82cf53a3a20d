import InlayCore
import InlayWire

/// Tells observers of fixes that are far enough from the one told last.
final class LocationNews: Sendable {
    private let told = Locked<Coordinates?>(nil)
    private let observers = Observers<LocationFix>(.bufferingNewest(64))

    /// Tells the fix unless it is nearer than `filter` metres to the one told last.
    func report(_ fix: LocationFix, filter: Double) {
        let isNews = told.withLock { told in
            if let told, told.metres(to: fix.coordinates) < filter { return false }
            told = fix.coordinates
            return true
        }
        if isNews { observers.yield(fix) }
    }

    func observe() -> AsyncStream<LocationFix> { observers.stream() }
}
