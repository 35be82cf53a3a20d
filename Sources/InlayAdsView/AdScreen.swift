/// The state of an ad's surface, as the feature knows it.
@_spi(Inlay) public struct AdScreen: Hashable, Sendable {
    /// The ad itself.
    public enum Body: Hashable, Sendable {
        /// No ad: none was shown yet, or it is over.
        case nothing
        /// A document in a frame.
        case creative(Creative)
        /// A video with the app's own controls.
        case video(Video)
    }

    /// A document, shown as it is.
    public struct Creative: Hashable, Sendable {
        /// Path of the document among the surface's files.
        public var path: String
        /// Its size in points; `nil` where it takes what is there.
        public var size: Size?
        /// Whether it covers the app until it is closed.
        public var isInterstitial: Bool
        /// Whether it gets MRAID.
        public var isMRAID: Bool

        /// A document.
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

        /// The size of an answer; `nil` when one of both is zero, which means: what is there.
        public init?(width: Int, height: Int) {
            guard width > 0, height > 0 else { return nil }
            self.width = min(width, Self.maximumSide)
            self.height = min(height, Self.maximumSide)
        }

        /// More than any screen; keeps a wrong number from making a page that nobody can scroll.
        public static let maximumSide = 10_000
    }

    /// A video.
    public struct Video: Hashable, Sendable {
        /// Path of the file among the surface's files.
        public var path: String
        /// The address of the file.
        public var address: String
        /// The duration that the ad names.
        public var milliseconds: Int
        /// From when on it can be skipped; `nil` when never.
        public var skipMilliseconds: Int?
        /// Whether watching to the end earns something.
        public var isRewarded: Bool
        /// Whether a tap leads anywhere.
        public var isLink: Bool
        /// A picture that names who placed the ad.
        public var icon: Icon?
        /// Shown after the end.
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
        /// A description of the picture.
        public var text: String?
        /// Whether a tap leads anywhere.
        public var isLink: Bool

        /// A picture.
        public init(address: String, text: String? = nil, isLink: Bool = false) {
            self.address = address
            self.text = text
            self.isLink = isLink
        }
    }

    /// A picture over a video that has a time of its own.
    public struct Icon: Hashable, Sendable {
        /// The picture.
        public var picture: Picture
        /// The time at which it appears, from the video's start.
        public var from: Int
        /// The time at which it goes; `nil` when it stays as long as the video.
        public var until: Int?

        /// A picture for the whole video, or a part of it, in milliseconds.
        public init(_ picture: Picture, from: Int = 0, until: Int? = nil) {
            self.picture = picture
            self.from = from
            self.until = until
        }
    }

    /// A page on top of the app, because there is no browser to open it.
    public struct Landing: Hashable, Sendable {
        /// Path of the document that holds the page, among the surface's files.
        public var path: String
        /// The page.
        public var address: String

        /// A page.
        public init(path: String, address: String) {
            self.path = path
            self.address = address
        }
    }

    /// Names this showing; another ad has another name.
    public var id: String
    /// The ad.
    public var body: Body
    /// Whether the user may close it now.
    public var canClose: Bool
    /// Whether the video is over.
    public var isOver: Bool
    /// A page over everything.
    public var landing: Landing?

    /// A screen; without a body it shows nothing.
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
