/// Limits on sizes and durations of ads. The device and the server use the same values.
@_spi(Inlay) public enum AdLimits {
    /// The largest body of an ad request, in bytes.
    public static let maximumRequestBytes = 262_144
    /// The largest creative, in bytes of UTF-8.
    public static let maximumMarkupBytes = 262_144
    /// The longest address that is called or opened, in bytes.
    public static let maximumAddressBytes = 4096
    /// The longest consent string of an ad request, in bytes. Real ones have some hundreds.
    public static let maximumConsentBytes = 8_192
    /// The most sections of a consent string that an ad request may name.
    public static let maximumConsentSections = 64
    /// The longest time for which the exchange may ask a device to wait before it calls a tracker again, in seconds.
    public static let maximumTrackerDelay = 120
    /// The longest time for which an ad may prevent closing, in milliseconds, unless the server sets less.
    public static let defaultMaximumCloseDelay = 60_000
    /// The most that a server may set as `lockLimit`, in milliseconds.
    public static let maximumCloseDelay = 120_000
    /// The longest time for which an ad may be kept before it is shown, in seconds.
    public static let maximumLifetime = 3600
    /// The shortest time between two ads of a refreshing banner, in seconds.
    public static let minimumRefreshInterval = 10
}

extension InlayPath {
    /// `POST` of the documented ad request.
    public static let adRequestDocumented = "/ads/request"
    /// `POST` of an ad request with `ext`.
    public static let adRequest = "/v1/ads/request"
    /// `GET` of the public keys that verify the signatures of reward callbacks.
    public static let adRewardKeys = "/ads/reward-keys"

    /// `GET` of a tracker.
    public static func adTracker(token: String) -> String { "/ads/t/\(escaped(token))" }
}
