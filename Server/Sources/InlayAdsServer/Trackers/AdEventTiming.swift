import InlayServerCore
@_spi(Inlay) import InlayWire

/// The minimum time between the response with an ad and each of its events.
///
/// The time counts from the response and not from the view: a view may have waited in the device's outbox, so that all
/// events of an ad arrive together. The time since the response is never shorter than the time on the device. Where a
/// reward depends on it, ``AdRewardedTime`` counts from the view as well, and the device reports the end again.
enum AdEventTiming {
    /// Nobody sees an ad and reacts to it within this time.
    static let minimumAgeOfClick: Duration = .milliseconds(200)
    /// The assumed length of a video that declares none, or is behind a wrapper; shorter videos are hardly ever sold.
    static let unknownLength: Duration = .seconds(5)
    /// The percentage of each minimum that must have passed: lengths are rounded, and a player may report a quartile
    /// some frames early.
    private static let tolerance: Int64 = 90

    /// Returns the minimum age at which an event is booked. A video of unknown length counts as ``unknownLength``.
    static func minimumAge(of event: AdEventName, length: Duration?) -> Duration {
        switch event {
        case .click: minimumAgeOfClick
        case .firstQuartile: share(25, of: length)
        case .midpoint: share(50, of: length)
        case .thirdQuartile: share(75, of: length)
        case .complete: share(100, of: length)
        default: .zero
        }
    }

    private static func share(_ hundredths: Int64, of length: Duration?) -> Duration {
        let microseconds = (length ?? unknownLength).microseconds
        return .microseconds(microseconds / 10_000 * hundredths * tolerance)
    }

    /// Returns the length of the shortest video that an app may play of a VAST document.
    ///
    /// The app chooses one of several ads, so a longer minimum could refuse a real viewer. The server does not fetch
    /// ads behind a wrapper: their length is the one that the bid declares, else ``unknownLength``.
    static func length(ofVAST markup: String, declared: Duration? = nil) -> Duration {
        let other = declared ?? unknownLength
        guard let document = try? VASTDocument(reading: markup) else { return other }
        return document.ads.map { $0.linear?.duration.flatMap { $0 > .zero ? $0 : nil } ?? other }.min()
            ?? other
    }
}
