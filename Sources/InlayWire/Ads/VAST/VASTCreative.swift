/// One part of an ad: a video, its overlays, or its companion banners.
@_spi(Inlay) public struct VASTCreative: Hashable, Sendable {
    /// The kind of a creative.
    public enum Content: Hashable, Sendable {
        /// A video; in a wrapper, trackers and other additions to the video behind it.
        case linear(VASTLinear)
        /// Overlays on the video; parsed, never shown.
        case nonLinear(VASTNonLinear)
        /// Banners beside or after the video.
        case companions(VASTCompanions)
    }

    /// The ad server's id.
    public var id: String?
    /// The ids of the ad in registries.
    public var universalIDs: [VASTUniversalID] = []
    /// The order in which parts are shown.
    public var sequence: Int?
    /// The framework that the part needs; `nil` when it needs none.
    public var apiFramework: String?
    /// The part.
    public var content: Content

    /// Creates a creative.
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

    /// Creates an id.
    public init(registry: String, value: String) {
        self.registry = registry
        self.value = value
    }
}

/// A video with all that goes with it.
@_spi(Inlay) public struct VASTLinear: Hashable, Sendable {
    /// The duration of the video; `nil` in wrappers.
    public var duration: Duration?
    /// The time from which the video can be skipped; `nil` when it cannot.
    public var skipOffset: VASTOffset?
    /// The same video as files to choose from.
    public var mediaFiles: [VASTMediaFile] = []
    /// The closed captions of the video.
    public var captions: [VASTCaption] = []
    /// The original files, for servers that encode the video; never for players.
    public var mezzanines: [VASTMezzanine] = []
    /// Interactive code for the video; parsed, never run.
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

    /// Creates an empty video.
    public init() {}

    /// Returns the addresses to request at an event, in the order of the VAST document.
    public func addresses(of event: VASTEvent) -> [String] {
        tracking.filter { $0.event == event }.map(\.address)
    }
}

/// The non-linear ads over a video, as far as they are parsed.
@_spi(Inlay) public struct VASTNonLinear: Hashable, Sendable {
    /// The overlays, each with its size and resources.
    public var all: [VASTCompanion] = []
    /// The trackers of the overlays' events.
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
    /// The width in points.
    public var width = 0
    /// The height in points.
    public var height = 0
    /// The publisher's id of the slot that the banner is meant for.
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

    /// Creates an empty banner.
    public init() {}
}

/// A small picture over a video.
@_spi(Inlay) public struct VASTIcon: Hashable, Sendable {
    /// The programme, for example AdChoices.
    public var program = ""
    /// The width in points.
    public var width = 0
    /// The height in points.
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

    /// Creates an empty icon.
    public init() {}
}

/// The content of a companion or an icon.
@_spi(Inlay) public enum VASTResource: Hashable, Sendable {
    /// The address of a file, with its media type.
    case file(String, type: String)
    /// The address of a page, which is shown in an iframe.
    case frame(String)
    /// Markup.
    case html(String)
}
