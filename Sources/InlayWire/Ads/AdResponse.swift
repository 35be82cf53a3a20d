/// The response to an ad request: the documented keys and, on Inlay's own route, `ext`.
@_spi(Inlay) public struct AdResponse: Hashable, Sendable {
    /// The type of the ad.
    public var type: AdType
    /// The creative: HTML for a banner, VAST for the videos.
    public var adm: String
    /// Milliseconds from the impression until the ad may be closed; 0 means at once.
    public var closeTimeout: Int
    /// Points across; 0 in either direction makes the banner adaptive. Not used for video.
    public var width: Double
    /// Points down; 0 in either direction makes the banner adaptive. Not used for video.
    public var height: Double
    /// The addresses that the SDK calls.
    public var tracker: AdTrackers
    /// Values beyond the documented response; `nil` leaves the key out.
    public var ext: AdResponseExtension?

    /// Creates a response.
    public init(
        type: AdType, adm: String, closeTimeout: Int = 0, width: Double = 0, height: Double = 0,
        tracker: AdTrackers, ext: AdResponseExtension? = nil
    ) {
        self.type = type
        self.adm = adm
        self.closeTimeout = closeTimeout
        self.width = width
        self.height = height
        self.tracker = tracker
        self.ext = ext
    }

    /// The banner's size.
    public var size: AdSize { AdSize(width: width, height: height) }
}

/// The kinds of ad, by their documented numbers.
public enum AdType: Int, Codable, CaseIterable, Hashable, Sendable {
    /// HTML.
    case banner = 1
    /// VAST.
    case video = 2
    /// VAST, and a user who saw all of it gets a reward.
    case rewarded = 3

    /// Whether the creative is VAST.
    public var isVideo: Bool { self != .banner }
}

extension AdResponse: Codable {
    private enum Key: String, CodingKey { case type, adm, closeTimeout, width, height, tracker, ext }

    /// Throws without a type of 1, 2 or 3 or without a creative. Numbers that are missing, null, negative or not finite
    /// are 0.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        type = try values.decode(AdType.self, forKey: .type)
        adm = try values.decode(String.self, forKey: .adm)
        func number(_ key: Key, maximum: Double) -> Double {
            let value: Double? = values.readable(key)
            guard let value, value.isFinite, value > 0 else { return 0 }
            return min(value, maximum)
        }
        // The maximums are a day, and more points than any screen has.
        closeTimeout = Int(number(.closeTimeout, maximum: 86_400_000).rounded())
        (width, height) = (number(.width, maximum: 100_000), number(.height, maximum: 100_000))
        tracker = values.readable(.tracker) ?? AdTrackers()
        ext = values.readable(.ext)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(type, forKey: .type)
        try values.encode(adm, forKey: .adm)
        try values.encode(closeTimeout, forKey: .closeTimeout)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encode(tracker, forKey: .tracker)
        try values.encodeIfPresent(ext, forKey: .ext)
    }
}
