/// The SDK's additions to the documented request: consent, hints, and the SDK's version.
///
/// Every part may be missing. A part that cannot be read counts as missing and does not affect the others, except
/// consent, which counts as a refusal; see `AdConsent.isUnreadable`.
@_spi(Inlay) public struct AdRequestExtension: Hashable, Sendable {
    /// The user's consent; `nil` when the app states none.
    public var consent: AdConsent?
    /// The format that the app expects. A hint: the unit's configuration decides.
    public var format: AdFormat?
    /// The space that the app has, in points. A hint.
    public var size: AdSize?
    /// The SDK's version, for example `0.1.0`.
    public var sdkVersion: String?
    /// The app's id in its store, by which bidders identify the app.
    public var storeID: String?

    /// An extension with the values that are known.
    public init(
        consent: AdConsent? = nil, format: AdFormat? = nil, size: AdSize? = nil, sdkVersion: String? = nil,
        storeID: String? = nil
    ) {
        self.consent = consent
        self.format = format
        self.size = size
        self.sdkVersion = sdkVersion
        self.storeID = storeID
    }
}

extension AdRequestExtension: Codable {
    private enum Key: String, CodingKey { case consent, format, size, sdkVersion, storeID }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            consent: values.readable(.consent), format: values.readable(.format),
            size: values.readable(.size), sdkVersion: values.readable(.sdkVersion),
            storeID: values.readable(.storeID))
    }
}

/// The format of an ad unit.
public enum AdFormat: String, Codable, CaseIterable, Hashable, Sendable {
    /// A part of the app's page.
    case banner
    /// HTML over the whole page.
    case interstitial
    /// A video that may be skipped.
    case video
    /// A video that earns the user a reward.
    case rewarded
}

/// A size in points. Zero in either direction means: all the available space.
public struct AdSize: Codable, Hashable, Sendable {
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// A size in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// All the available space.
    public static let adaptive = AdSize(width: 0, height: 0)

    /// Whether the ad takes the available space: one zero is enough.
    public var isAdaptive: Bool { !(width > 0 && height > 0) }
}
