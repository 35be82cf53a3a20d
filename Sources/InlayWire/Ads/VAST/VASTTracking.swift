/// An address to request at an event of an ad.
@_spi(Inlay) public struct VASTTracking: Hashable, Sendable {
    /// The event.
    public var event: VASTEvent
    /// The time in the video for `progress`; `nil` for other events.
    public var offset: VASTOffset?
    /// The address, with its macros.
    public var address: String

    /// Creates a tracker.
    public init(_ event: VASTEvent, _ address: String, offset: VASTOffset? = nil) {
        self.event = event
        self.address = address
        self.offset = offset
    }
}

/// An event of an ad. The set grows; unknown events are kept.
@_spi(Inlay) public struct VASTEvent: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// An event by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first frame was shown.
    public static let start = Self(rawValue: "start")
    /// A quarter of the video was played.
    public static let firstQuartile = Self(rawValue: "firstQuartile")
    /// Half of the video was played.
    public static let midpoint = Self(rawValue: "midpoint")
    /// Three quarters of the video were played.
    public static let thirdQuartile = Self(rawValue: "thirdQuartile")
    /// The video was played to its end.
    public static let complete = Self(rawValue: "complete")
    /// The video reached ``VASTTracking/offset``.
    public static let progress = Self(rawValue: "progress")
    /// The sound was switched off.
    public static let mute = Self(rawValue: "mute")
    /// The sound was switched on again.
    public static let unmute = Self(rawValue: "unmute")
    /// The user paused the video.
    public static let pause = Self(rawValue: "pause")
    /// The video was resumed.
    public static let resume = Self(rawValue: "resume")
    /// The video was rewound.
    public static let rewind = Self(rawValue: "rewind")
    /// The video was skipped.
    public static let skip = Self(rawValue: "skip")
    /// The ad was closed.
    public static let close = Self(rawValue: "close")
    /// The same as `close`, in videos of version 3 and later.
    public static let closeLinear = Self(rawValue: "closeLinear")
    /// The user enlarged the video, or made it fill the screen (version 2 and 3).
    public static let fullscreen = Self(rawValue: "fullscreen")
    /// The ad was made ready to be shown (version 4).
    public static let loaded = Self(rawValue: "loaded")
    /// A companion or icon was shown.
    public static let creativeView = Self(rawValue: "creativeView")
    /// The user accepted an invitation within the ad.
    public static let acceptInvitation = Self(rawValue: "acceptInvitation")
    /// The player was enlarged (version 4).
    public static let playerExpand = Self(rawValue: "playerExpand")
    /// The player was reduced to its previous size (version 4).
    public static let playerCollapse = Self(rawValue: "playerCollapse")
}
