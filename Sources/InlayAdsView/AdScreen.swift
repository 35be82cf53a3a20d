/// The state of an ad's surface, from which its view model is made.
@_spi(Inlay) public struct AdScreen: Hashable, Sendable {
    /// The ad itself.
    public enum Body: Hashable, Sendable {
        /// No ad: none was shown yet, or the last one was closed.
        case nothing
        /// A document in a frame.
        case creative(Creative)
        /// A video with the app's own controls.
        case video(Video)
    }

    /// An unchanged document of an advertiser.
    public struct Creative: Hashable, Sendable {
        /// The path of the document among the surface's files.
        public var path: String
        /// The size in points; `nil` for a document that takes the available space.
        public var size: Size?
        /// Whether the ad covers the app until it is closed.
        public var isInterstitial: Bool
        /// Whether the document gets the MRAID bridge.
        public var isMRAID: Bool

        /// A document with its path.
        public init(path: String, size: Size?, isInterstitial: Bool = false, isMRAID: Bool = false) {
            self.path = path
            self.size = size
            self.isInterstitial = isInterstitial
            self.isMRAID = isMRAID
        }
    }

    /// Width and height in points, both above zero.
    public struct Size: Hashable, Sendable {
        public var width: Int
        public var height: Int

        /// A size of a response, at most `maximumSide` each way; `nil` when the width or height is 0 or less, which
        /// stands for the available space.
        public init?(width: Int, height: Int) {
            guard width > 0, height > 0 else { return nil }
            self.width = min(width, Self.maximumSide)
            self.height = min(height, Self.maximumSide)
        }

        /// The maximum width and height: more than any screen, so that a wrong number makes no endless page.
        public static let maximumSide = 10_000
    }

    /// A video.
    public struct Video: Hashable, Sendable {
        /// The path of the file among the surface's files.
        public var path: String
        /// The address of the file.
        public var address: String
        /// The duration that the ad states; 0 when it states none.
        public var milliseconds: Int
        /// The time from which on the user may skip the video; `nil` when the user may not.
        public var skipMilliseconds: Int?
        /// Whether the user earns a reward by watching to the end.
        public var isRewarded: Bool
        /// Whether a tap opens a link.
        public var isLink: Bool
        /// The icon over the video, such as AdChoices.
        public var icon: Icon?
        /// The companion that is shown after the end.
        public var endCard: EndCard?

        /// A video without extras.
        public init(
            path: String, address: String, milliseconds: Int, skipMilliseconds: Int? = nil,
            isRewarded: Bool = false, isLink: Bool = false, icon: Icon? = nil, endCard: EndCard? = nil
        ) {
            self.path = path
            self.address = address
            self.milliseconds = milliseconds
            self.skipMilliseconds = skipMilliseconds
            self.isRewarded = isRewarded
            self.isLink = isLink
            self.icon = icon
            self.endCard = endCard
        }
    }

    /// The companion that is shown after a video.
    public enum EndCard: Hashable, Sendable {
        /// A picture.
        case picture(Picture)
        /// A document in a frame with the same restrictions as a creative's. Its path is among the surface's files;
        /// `size` is `nil` where it takes the available space.
        case document(path: String, size: Size?, isLink: Bool)
    }

    /// A picture of the ad, fetched by the host.
    public struct Picture: Hashable, Sendable {
        /// The address of the file.
        public var address: String
        /// A description of the picture; `nil` stands for `AdString.about`.
        public var text: String?
        /// Whether a tap opens a link.
        public var isLink: Bool

        /// A picture with its address.
        public init(address: String, text: String? = nil, isLink: Bool = false) {
            self.address = address
            self.text = text
            self.isLink = isLink
        }
    }

    /// A picture over the whole video, or over a part of it.
    public struct Icon: Hashable, Sendable {
        /// The picture.
        public var picture: Picture
        /// The time at which the icon appears, in milliseconds from the video's start.
        public var from: Int
        /// The time at which the icon disappears, in milliseconds; `nil` when it stays until the end of the video.
        public var until: Int?

        /// A picture for the whole video, or a part of it, in milliseconds.
        public init(_ picture: Picture, from: Int = 0, until: Int? = nil) {
            self.picture = picture
            self.from = from
            self.until = until
        }
    }

    /// A landing page that is shown over the app, because there is no browser to open it.
    public struct Landing: Hashable, Sendable {
        /// The path of the document around the page, among the surface's files.
        public var path: String
        /// The address of the page.
        public var address: String

        /// A landing page.
        public init(path: String, address: String) {
            self.path = path
            self.address = address
        }
    }

    /// The id of the ad that is shown. Each ad of a placement has another id.
    public var id: String
    /// The ad.
    public var body: Body
    /// Whether the user may close the ad now.
    public var canClose: Bool
    /// Whether the video is over.
    public var isOver: Bool
    /// The landing page that covers the ad, if one is open.
    public var landing: Landing?

    /// A screen; without a body, no ad is shown.
    public init(
        id: String = "ad", body: Body = .nothing, canClose: Bool = false, isOver: Bool = false,
        landing: Landing? = nil
    ) {
        self.id = id
        self.body = body
        self.canClose = canClose
        self.isOver = isOver
        self.landing = landing
    }
}
