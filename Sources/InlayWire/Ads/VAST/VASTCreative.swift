/// One part of an ad: its video, what lies over it, or what stands beside it.
@_spi(Inlay) public struct VASTCreative: Hashable, Sendable {
    /// The kind of a creative.
    public enum Content: Hashable, Sendable {
        /// A video, or in a wrapper what goes with one.
        case linear(VASTLinear)
        /// Something over the video; read, not shown.
        case nonLinear(VASTNonLinear)
        /// Banners beside or after the video.
        case companions(VASTCompanions)
    }

    /// The ad server's id.
    public var id: String?
    /// The ad's ids, each in the registry that gives it out.
    public var universalIDs: [VASTUniversalID] = []
    /// The order in which parts are shown.
    public var sequence: Int?
    /// A framework that the part needs, where it needs one.
    public var apiFramework: String?
    /// The part.
    public var content: Content

    /// A part.
    public init(_ content: Content, id: String? = nil) {
        self.content = content
        self.id = id
    }
}

/// The id of an ad in a registry.
@_spi(Inlay) public struct VASTUniversalID: Hashable, Sendable {
    /// The registry, for example `ad-id.org`; empty when it is not stated.
    public var registry: String
    /// The id.
    public var value: String

    /// An id of a registry.
    public init(registry: String, value: String) {
        self.registry = registry
        self.value = value
    }
}

/// A video with all that goes with it.
@_spi(Inlay) public struct VASTLinear: Hashable, Sendable {
    /// The duration of the video; `nil` in wrappers.
    public var duration: Duration?
    /// From then on it can be skipped; `nil` when it cannot.
    public var skipOffset: VASTOffset?
    /// The same video as files to choose from.
    public var mediaFiles: [VASTMediaFile] = []
    /// The closed captions of the video.
    public var captions: [VASTCaption] = []
    /// The video in the quality in which it was made; for servers that encode it, never for players.
    public var mezzanines: [VASTMezzanine] = []
    /// Programs that go with the video; read, never run.
    public var interactiveFiles: [VASTInteractiveFile] = []
    /// The trackers of the video's events.
    public var tracking: [VASTTracking] = []
    /// The landing page of a click.
    public var clickThrough: VASTLink?
    /// The addresses to request at a click.
    public var clickTracking: [VASTLink] = []
    /// The addresses to request at clicks that open no page.
    public var customClicks: [VASTLink] = []
    /// Small pictures over the video, for example of a privacy programme.
    public var icons: [VASTIcon] = []
    /// The parameters that the ad server passes to its own code.
    public var parameters: String = ""

    /// A video without anything.
    public init() {}

    /// The addresses to request at an event, in the order of the VAST document.
    public func addresses(of event: VASTEvent) -> [String] {
        tracking.filter { $0.event == event }.map(\.address)
    }
}

/// A non-linear ad over a video, as far as it is read.
@_spi(Inlay) public struct VASTNonLinear: Hashable, Sendable {
    /// Each with its size and what it shows.
    public var all: [VASTCompanion] = []
    /// The trackers of its events.
    public var tracking: [VASTTracking] = []
}

/// Companions, and how many of them must be shown.
@_spi(Inlay) public struct VASTCompanions: Hashable, Sendable {
    /// The number of companions that must be shown for the ad to count.
    public enum Required: String, Hashable, Sendable { case all, any, none }

    /// The companions.
    public var all: [VASTCompanion] = []
    /// The number of companions that must be shown; `none` when it is not stated.
    public var required = Required.none
}

/// A banner beside or after a video.
@_spi(Inlay) public struct VASTCompanion: Hashable, Sendable {
    /// The ad server's id.
    public var id: String?
    /// In points.
    public var width = 0
    /// In points.
    public var height = 0
    /// The place it is meant for, as the publisher calls it.
    public var slotID: String?
    /// `default`, `end-card` or `concurrent`.
    public var rendering = "default"
    /// The resources of the companion; the first that the player supports is shown.
    public var resources: [VASTResource] = []
    /// The landing page of a click.
    public var clickThrough: VASTLink?
    /// The addresses to request at a click.
    public var clickTracking: [VASTLink] = []
    /// The trackers of its events.
    public var tracking: [VASTTracking] = []
    /// The alternative text.
    public var alternative = ""

    /// A banner without anything.
    public init() {}
}

/// A small picture over a video.
@_spi(Inlay) public struct VASTIcon: Hashable, Sendable {
    /// The programme, for example AdChoices.
    public var program = ""
    /// In points.
    public var width = 0
    /// In points.
    public var height = 0
    /// `left`, `right` or points from the left.
    public var xPosition = "left"
    /// `top`, `bottom` or points from the top.
    public var yPosition = "top"
    /// The time at which the icon appears; the start of the video when it is not stated.
    public var offset: VASTOffset?
    /// The duration of the icon on screen; until the end of the video when it is not stated.
    public var duration: Duration?
    /// The resources of the icon.
    public var resources: [VASTResource] = []
    /// The landing page of a click.
    public var clickThrough: VASTLink?
    /// The addresses to request at a click.
    public var clickTracking: [VASTLink] = []
    /// The addresses to request when the icon is shown.
    public var views: [String] = []

    /// A picture without anything.
    public init() {}
}

/// The content of a companion or an icon.
@_spi(Inlay) public enum VASTResource: Hashable, Sendable {
    /// A file of a type.
    case file(String, type: String)
    /// A page in a frame.
    case frame(String)
    /// Markup.
    case html(String)
}
