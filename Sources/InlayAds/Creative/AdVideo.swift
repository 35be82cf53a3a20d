@_spi(Inlay) public import InlayWire

/// A video ad that can be played: the result of a VAST response after its wrappers were followed and a media file was
/// chosen.
@_spi(Inlay) public struct AdVideo: Hashable, Sendable {
    /// The file to play. Once the ad is loaded, `AdShow.mediaFile` has its data.
    public var media: Media
    /// The other files, best first, for the case that the chosen file cannot be loaded.
    public var alternatives: [Media]
    /// The stated duration; `nil` when none is stated.
    public var duration: Duration?
    /// The time from which on the user may skip the video; `nil` when the user may not.
    public var skipOffset: Duration?
    /// The landing page of a click on the video.
    public var clickThrough: String?
    /// The addresses to call together at the impression.
    public var impressions: [String]
    /// The addresses to call at a click.
    public var clickTrackers: [String]
    /// The addresses to call at the events of these names.
    public var trackers: [AdEventName: [String]]
    /// The trackers of positions in the video.
    public var progress: [Progress]
    /// The addresses to call when the video cannot be played, with the macro `[ERRORCODE]`.
    public var errors: [String]
    /// The error addresses of other ads in the same response that could not be used, with the error codes filled in.
    /// They are called at once.
    public var failedAdErrors: [String]
    /// The companion ads: pictures or HTML.
    public var companions: [Companion]
    /// The icons over the video, such as AdChoices.
    public var icons: [Icon]
    /// The files of captions, for an app with its own player.
    public var captions: [VASTCaption] = []
    /// The scripts that measure viewability, for an app that runs them. The SDK runs none.
    public var verifications: [VASTVerification] = []
    /// The advertiser's ids of the creative, each with its registry.
    public var universalIDs: [VASTUniversalID] = []
    /// The addresses that came with http and are requested with https; at most 50 of each document.
    public var upgrades: [VASTUpgrade] = []
    /// The number of all such addresses, without that limit.
    public var upgradeCount = 0
    /// The advertiser's title, for the labels of a screen reader.
    public var title: String?
    /// Whether the ad was behind a wrapper.
    public var isWrapped: Bool

    /// A video with its file.
    public init(
        media: Media, alternatives: [Media] = [], duration: Duration? = nil, skipOffset: Duration? = nil,
        clickThrough: String? = nil, impressions: [String] = [], clickTrackers: [String] = [],
        trackers: [AdEventName: [String]] = [:], progress: [Progress] = [], errors: [String] = [],
        failedAdErrors: [String] = [], companions: [Companion] = [], icons: [Icon] = [], title: String? = nil,
        isWrapped: Bool = false
    ) {
        self.media = media
        self.alternatives = alternatives
        self.duration = duration
        self.skipOffset = skipOffset
        self.clickThrough = clickThrough
        self.impressions = impressions
        self.clickTrackers = clickTrackers
        self.trackers = trackers
        self.progress = progress
        self.errors = errors
        self.failedAdErrors = failedAdErrors
        self.companions = companions
        self.icons = icons
        self.title = title
        self.isWrapped = isWrapped
    }

    /// Makes one of the files the file to play, and the others the alternatives.
    mutating func choose(_ file: Media) {
        alternatives = ([media] + alternatives).filter { $0 != file }
        media = file
    }
}

extension AdVideo {
    /// One file of a video.
    public struct Media: Hashable, Sendable {
        /// The address of the file.
        public var address: String
        /// The stated media type, for example `video/mp4`.
        public var type: String
        /// The width in pixels; 0 when none is stated.
        public var width: Int
        /// The height in pixels; 0 when none is stated.
        public var height: Int
        /// The bit rate in kilobits per second; `nil` when none is stated.
        public var bitrate: Int?

        /// A file with its size.
        public init(address: String, type: String, width: Int = 0, height: Int = 0, bitrate: Int? = nil) {
            (self.address, self.type, self.width, self.height) = (address, type, width, height)
            self.bitrate = bitrate
        }
    }

    /// A tracker of a position in the video.
    public struct Progress: Hashable, Sendable {
        /// The position, from the start.
        public var offset: Duration
        /// The address to call when the video reaches the position.
        public var address: String

        /// A tracker of a position.
        public init(offset: Duration, address: String) { (self.offset, self.address) = (offset, address) }
    }
}
