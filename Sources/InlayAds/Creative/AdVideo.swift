@_spi(Inlay) public import InlayWire

/// A video that can be played: what is left of a VAST answer after its wrappers were followed and a file
/// was chosen.
@_spi(Inlay) public struct AdVideo: Hashable, Sendable {
    /// The file to play; of an ad that is loaded, the one that `AdShow.mediaFile` has.
    public var media: Media
    /// The other files, best first, for when the chosen one does not play.
    public var alternatives: [Media]
    /// The stated duration; `nil` when none is stated.
    public var duration: Duration?
    /// From when on it may be skipped; `nil` when it may not.
    public var skipOffset: Duration?
    /// The landing page of a click on the video.
    public var clickThrough: String?
    /// Called together at the impression.
    public var impressions: [String]
    /// Called at the click.
    public var clickTrackers: [String]
    /// Called at the events of these names.
    public var trackers: [AdEventName: [String]]
    /// Called when so much was played.
    public var progress: [Progress]
    /// Called when it cannot be played; `[ERRORCODE]` stands for the number.
    public var errors: [String]
    /// Addresses for other ads of the same answer that could not be used, with their numbers in them; to be called
    /// at once.
    public var missed: [String]
    /// Pictures or HTML that go with it.
    public var companions: [Companion]
    /// Small marks over it, such as the one that says why it is shown.
    public var icons: [Icon]
    /// Files with what is said in it; for an app with a player of its own.
    public var captions: [VASTCaption] = []
    /// Code that measures whether it is seen; for an app with a measurer. None runs here.
    public var verifications: [VASTVerification] = []
    /// The advertiser's ids for it, each in the registry that gives it out.
    public var universalIDs: [VASTUniversalID] = []
    /// Addresses of the answer that came with http and are fetched with https; at most 50 of each document.
    public var upgrades: [VASTUpgrade] = []
    /// The number of addresses of the response that came with http and are requested with https.
    public var upgradeCount = 0
    /// The advertiser's title; for labels that a screen reader reads.
    public var title: String?
    /// Whether the answer led to it through another server.
    public var isWrapped: Bool

    /// A video with its file.
    public init(
        media: Media, alternatives: [Media] = [], duration: Duration? = nil, skipOffset: Duration? = nil,
        clickThrough: String? = nil, impressions: [String] = [], clickTrackers: [String] = [],
        trackers: [AdEventName: [String]] = [:], progress: [Progress] = [], errors: [String] = [],
        missed: [String] = [], companions: [Companion] = [], icons: [Icon] = [], title: String? = nil,
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
        self.missed = missed
        self.companions = companions
        self.icons = icons
        self.title = title
        self.isWrapped = isWrapped
    }

    /// Takes one of its files as the one to play.
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
        /// Its media type, for example `video/mp4`.
        public var type: String
        /// Pixels across; 0 when it does not say.
        public var width: Int
        /// Pixels down; 0 when it does not say.
        public var height: Int
        /// Kilobits a second; `nil` when it does not say.
        public var bitrate: Int?

        /// A file with its size.
        public init(address: String, type: String, width: Int = 0, height: Int = 0, bitrate: Int? = nil) {
            (self.address, self.type, self.width, self.height) = (address, type, width, height)
            self.bitrate = bitrate
        }
    }

    /// A tracker at a place in the video.
    public struct Progress: Hashable, Sendable {
        /// The place, from the start.
        public var offset: Duration
        /// Called there.
        public var address: String

        /// A tracker at a place.
        public init(offset: Duration, address: String) { (self.offset, self.address) = (offset, address) }
    }
}
