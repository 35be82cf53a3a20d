@_spi(Inlay) public import InlaySurface

/// The view model of a hub, for a template or for a renderer of another kind.
@_spi(Inlay) public struct HubView: Codable, Hashable, Sendable {
    /// Title, scheme, direction and custom properties of the page.
    public var root: SurfaceFrame.Root
    /// The bar at the top; a nested hub has none.
    public var bar: Bar?
    /// A line about the content's age.
    public var notice: String?
    /// The status in place of content.
    public var status: Status?
    /// The head of a hub's or channel's page.
    public var head: Head?
    /// The channels of a hub's page, or the one of a channel's page.
    public var sections: [Section]
    /// A document of the content.
    public var frame: Frame?
    /// The question whether to leave.
    public var question: Question?
    /// A video over everything.
    public var player: Player?
    /// The number of the visit in the history.
    public var place: String

    /// The bar at the top.
    public struct Bar: Codable, Hashable, Sendable {
        /// The page's title.
        public var title: String
        /// Whether the title is small because the page begins with it.
        public var isQuiet: Bool
        /// Whether the mark is shown.
        public var showsMark: Bool
        /// Whether there are pages to go to with the buttons.
        public var canGoBack: Bool
        public var canGoForward: Bool
        /// The labels of the buttons.
        public var back: String
        public var forward: String
        public var close: String
    }

    /// The status in place of content.
    public struct Status: Codable, Hashable, Sendable {
        /// One of `checking`, `downloading`, `failed`, `offline`, `disabled`, `empty`, `missing`, `custom`, `closed`.
        public var kind: String
        /// At most one of these is true; a template cannot compare.
        public var isWorking: Bool
        public var isOffline: Bool
        public var isFailure: Bool
        public var isQuiet: Bool
        /// A short title; absent while something is under way.
        public var title: String?
        /// A sentence.
        public var message: String
        /// The progress; absent while it is not known.
        public var progress: Progress?
        /// The button that tries again.
        public var retry: String?
    }

    /// The progress of a download.
    public struct Progress: Codable, Hashable, Sendable {
        /// Whole percent.
        public var percent: Int
        /// The percentage as text.
        public var text: String
    }

    /// The head of a page.
    public struct Head: Codable, Hashable, Sendable {
        /// The title.
        public var title: String
        /// A sentence or two.
        public var summary: String?
        /// The cover.
        public var image: Image?
    }

    /// A picture of the content.
    public struct Image: Codable, Hashable, Sendable {
        /// The address at which the page loads it.
        public var source: String
        /// A description of the picture; empty where the text beside it says enough.
        public var text: String
        /// Whether the picture is loaded at once.
        public var isEager: Bool
    }

    /// A channel.
    public struct Section: Codable, Hashable, Sendable {
        /// The channel's id.
        public var channel: String
        /// The unique name of the channel's title on the page.
        public var name: String
        /// The channel's title; absent where the page's head has it.
        public var title: String?
        /// The element of its articles' titles: one rank below the title above them.
        public var heading: String
        /// The link to the channel's own page.
        public var link: Link?
        /// The leading article.
        public var lead: Teaser?
        /// The other articles.
        public var teasers: [Teaser]
        /// Whether the other articles stand beside the leading one, where there is space.
        public var isFeature: Bool
        /// The text where there are no articles.
        public var empty: String?
    }

    /// A link within the hub.
    public struct Link: Codable, Hashable, Sendable {
        /// The address.
        public var address: String
        /// The text.
        public var text: String
        /// The label for screen readers.
        public var label: String
    }

    /// An article in a list.
    public struct Teaser: Codable, Hashable, Sendable {
        /// Unique on the page.
        public var name: String
        /// The address.
        public var address: String
        /// Its title.
        public var title: String
        /// A sentence or two.
        public var summary: String?
        /// The cover.
        public var image: Image?
        /// The date as the reader sees it.
        public var date: String?
        /// The exact date and time.
        public var exactDate: String?
        /// The date in machine-readable form.
        public var machineDate: String?
    }

    /// A document of the content in a frame.
    public struct Frame: Codable, Hashable, Sendable {
        /// The document's path within the content.
        public var path: String
        /// The address at which the frame loads it.
        public var source: String
        /// The label for screen readers.
        public var title: String
        /// The value of the frame's `sandbox` attribute.
        public var sandbox: String
        /// The appearance: scheme, text size, motion and direction.
        public var appearance: String
    }

    /// The question whether to leave.
    public struct Question: Codable, Hashable, Sendable {
        /// The question.
        public var title: String
        /// The explanation.
        public var message: String
        /// The address, whole.
        public var address: String
        /// The host and any port, which identify the site.
        public var host: String?
        /// The button that leaves.
        public var confirm: String
        /// The button that stays.
        public var cancel: String
    }

    /// A video over everything.
    public struct Player: Codable, Hashable, Sendable {
        /// The address at which the page loads it.
        public var source: String
        /// The title.
        public var title: String
        /// The button that closes the video.
        public var close: String
    }
}
