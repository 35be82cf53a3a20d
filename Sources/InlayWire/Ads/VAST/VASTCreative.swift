/// One part of an ad: its video, what lies over it, or what stands beside it.
public struct VASTCreative: Hashable, Sendable {
    /// What kind of part it is.
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
public struct VASTUniversalID: Hashable, Sendable {
    /// The registry, for example `ad-id.org`; empty when it is not told.
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
public struct VASTLinear: Hashable, Sendable {
    /// How long it is; `nil` in wrappers.
    public var duration: Duration?
    /// From then on it can be skipped; `nil` when it cannot.
    public var skipOffset: VASTOffset?
    /// The same video as files to choose from.
    public var mediaFiles: [VASTMediaFile] = []
    /// What is said in the video, as text.
    public var captions: [VASTCaption] = []
    /// The video in the quality in which it was made; for servers that encode it, never for players.
    public var mezzanines: [VASTMezzanine] = []
    /// Programs that go with the video; read, never run.
    public var interactiveFiles: [VASTInteractiveFile] = []
    /// What is called at its events.
    public var tracking: [VASTTracking] = []
    /// Where a tap leads.
    public var clickThrough: VASTLink?
    /// What is called at a tap.
    public var clickTracking: [VASTLink] = []
    /// What is called at taps that lead nowhere.
    public var customClicks: [VASTLink] = []
    /// Small pictures over the video, for example of a privacy programme.
    public var icons: [VASTIcon] = []
    /// What the ad server hands to its own code.
    public var parameters: String = ""

    /// A video without anything.
    public init() {}

    /// What is called at an event, in the document's order.
    public func addresses(of event: VASTEvent) -> [String] {
        tracking.filter { $0.event == event }.map(\.address)
    }
}

/// What lies over a video, as far as it is read.
public struct VASTNonLinear: Hashable, Sendable {
    /// Each with its size and what it shows.
    public var all: [VASTCompanion] = []
    /// What is called at its events.
    public var tracking: [VASTTracking] = []
}

/// Companions, and how many of them must be shown.
public struct VASTCompanions: Hashable, Sendable {
    /// How many must be shown for the ad to count.
    public enum Required: String, Hashable, Sendable { case all, any, none }

    /// The companions.
    public var all: [VASTCompanion] = []
    /// How many must be shown; none when it is not told.
    public var required = Required.none
}

/// A banner beside or after a video.
public struct VASTCompanion: Hashable, Sendable {
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
    /// What it shows; the first that can be shown is.
    public var resources: [VASTResource] = []
    /// Where a tap leads.
    public var clickThrough: VASTLink?
    /// What is called at a tap.
    public var clickTracking: [VASTLink] = []
    /// What is called at its events.
    public var tracking: [VASTTracking] = []
    /// What stands for it where it cannot be seen.
    public var alternative = ""

    /// A banner without anything.
    public init() {}
}

/// A small picture over a video.
public struct VASTIcon: Hashable, Sendable {
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
    /// When it appears; at once when it is not told.
    public var offset: VASTOffset?
    /// How long it is shown; to the end when it is not told.
    public var duration: Duration?
    /// What it shows.
    public var resources: [VASTResource] = []
    /// Where a tap leads.
    public var clickThrough: VASTLink?
    /// What is called at a tap.
    public var clickTracking: [VASTLink] = []
    /// What is called when it is shown.
    public var views: [String] = []

    /// A picture without anything.
    public init() {}
}

/// What a companion or an icon shows.
public enum VASTResource: Hashable, Sendable {
    /// A file of a type.
    case file(String, type: String)
    /// A page in a frame.
    case frame(String)
    /// Markup.
    case html(String)
}
