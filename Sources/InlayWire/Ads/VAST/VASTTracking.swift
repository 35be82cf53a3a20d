/// An address to request at an event of an ad.
@_spi(Inlay) public struct VASTTracking: Hashable, Sendable {
    /// The event.
    public var event: VASTEvent
    /// For `progress`: when in the video.
    public var offset: VASTOffset?
    /// The address, with its macros.
    public var address: String

    /// A call at an event.
    public init(_ event: VASTEvent, _ address: String, offset: VASTOffset? = nil) {
        self.event = event
        self.address = address
        self.offset = offset
    }
}

/// An event of an ad. The set grows; unknown ones are kept.
@_spi(Inlay) public struct VASTEvent: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// An event by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first frame was shown.
    public static let start = Self(rawValue: "start")
    /// A quarter was played.
    public static let firstQuartile = Self(rawValue: "firstQuartile")
    /// Half was played.
    public static let midpoint = Self(rawValue: "midpoint")
    /// Three quarters were played.
    public static let thirdQuartile = Self(rawValue: "thirdQuartile")
    /// It was played to its end.
    public static let complete = Self(rawValue: "complete")
    /// A moment of the video, see ``VASTTracking/offset``.
    public static let progress = Self(rawValue: "progress")
    /// The sound was switched off.
    public static let mute = Self(rawValue: "mute")
    /// The sound was switched on again.
    public static let unmute = Self(rawValue: "unmute")
    /// It was stopped by the user.
    public static let pause = Self(rawValue: "pause")
    /// It goes on.
    public static let resume = Self(rawValue: "resume")
    /// It was wound back.
    public static let rewind = Self(rawValue: "rewind")
    /// It was skipped.
    public static let skip = Self(rawValue: "skip")
    /// It was closed.
    public static let close = Self(rawValue: "close")
    /// The same as `close`, in videos of version 3 and later.
    public static let closeLinear = Self(rawValue: "closeLinear")
    /// The user made it larger, or fill the screen (version 2 and 3).
    public static let fullscreen = Self(rawValue: "fullscreen")
    /// The ad was made ready to be shown (version 4).
    public static let loaded = Self(rawValue: "loaded")
    /// A companion or icon was shown.
    public static let creativeView = Self(rawValue: "creativeView")
    /// The user accepted an invitation inside of the ad.
    public static let acceptInvitation = Self(rawValue: "acceptInvitation")
    /// It now fills its player.
    public static let playerExpand = Self(rawValue: "playerExpand")
    /// It no longer fills its player.
    public static let playerCollapse = Self(rawValue: "playerCollapse")
}
