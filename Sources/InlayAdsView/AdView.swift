@_spi(Inlay) public import InlaySurface

/// The view model of an ad's page, for a template or for a renderer of another kind.
@_spi(Inlay) public struct AdView: Codable, Hashable, Sendable {
    /// Title, scheme, direction and custom properties of the page.
    public var root: SurfaceFrame.Root
    /// A document in a frame.
    public var creative: Creative?
    /// A video.
    public var video: Video?
    /// A landing page over the ad.
    public var landing: Landing?

    /// A document in a frame, with the close button above it.
    public struct Creative: Codable, Hashable, Sendable {
        /// The id of the ad on the page.
        public var id: String
        /// The address at which the frame loads the document.
        public var source: String
        /// The sandbox of the frame.
        public var sandbox: String
        /// The settings for the host's script in the frame.
        public var setup: String
        /// The placement type of MRAID: `inline` or `interstitial`.
        public var placement: String
        /// The size in points; absent for a creative that takes the available space.
        public var size: Size?
        /// Whether the creative takes the available space.
        public var isAdaptive: Bool
        /// Whether the creative gets the MRAID bridge.
        public var isMRAID: Bool
        /// The label for screen readers.
        public var label: String
        /// The label of the button that makes an enlarged creative small again.
        public var collapse: String
        /// The label of the close button; absent while the ad cannot be closed.
        public var close: String?
        /// The announcement of screen readers when the close button appears.
        public var announcement: String?
    }

    /// A size in points.
    public struct Size: Codable, Hashable, Sendable {
        public var width: Int
        public var height: Int
    }

    /// A video with the app's own controls.
    public struct Video: Codable, Hashable, Sendable {
        /// The id of the ad on the page.
        public var id: String
        /// The address at which the player loads the file.
        public var source: String
        /// The address at which the host loaded the file.
        public var address: String
        /// The duration that the ad states; 0 when it states none.
        public var milliseconds: Int
        /// The time from which on the user may skip the video; absent when the user may not.
        public var skipMilliseconds: Int?
        /// Whether the user earns a reward by watching to the end.
        public var isRewarded: Bool
        /// The label for screen readers, and the visible mark.
        public var label: String
        public var mark: String
        /// The labels of the controls.
        public var play: String
        public var sound: String
        /// The label of the button that leads to the advertiser; absent when a tap opens no link.
        public var link: String?
        /// The label of the skip button, and its text before the video can be skipped.
        public var skip: String?
        public var skipIn: String
        /// The texts about the reward while the video plays, and after its end.
        public var rewardIn: String
        public var rewarded: String
        /// The icon over the video, such as AdChoices.
        public var icon: Icon?
        /// The picture after the end.
        public var endPicture: Picture?
        /// The document after the end.
        public var endDocument: Document?
        /// The label of the close button; absent while the ad cannot be closed.
        public var close: String?
        /// The announcement of screen readers when the close button appears.
        public var announcement: String?
    }

    /// A picture of the ad.
    public struct Picture: Codable, Hashable, Sendable {
        /// The address at which the page loads the picture.
        public var source: String
        /// A description of the picture.
        public var text: String
        /// Whether a tap opens a link.
        public var isLink: Bool
    }

    /// A picture over the whole video, or over a part of it.
    public struct Icon: Codable, Hashable, Sendable {
        /// The address at which the page loads the picture.
        public var source: String
        /// A description of the picture.
        public var text: String
        /// Whether a tap opens a link.
        public var isLink: Bool
        /// The times at which the icon appears and disappears, in milliseconds of the video.
        public var from: Int
        public var until: Int?
    }

    /// A document of the ad in a frame of its own.
    public struct Document: Codable, Hashable, Sendable {
        /// The address at which the frame loads the document.
        public var source: String
        /// The sandbox of the frame.
        public var sandbox: String
        /// The settings for the host's script in the frame.
        public var setup: String
        /// The label for screen readers.
        public var label: String
        /// The size in points; absent for a document that takes the available space.
        public var size: Size?
    }

    /// A landing page of the advertiser over the app.
    public struct Landing: Codable, Hashable, Sendable {
        /// The id of its ad on the page.
        public var id: String
        /// The address at which the frame loads the document around the page.
        public var source: String
        /// The address of the page.
        public var address: String
        /// The host name of the page.
        public var host: String
        /// The label for screen readers.
        public var title: String
        /// The sandbox of the page.
        public var sandbox: String
        /// The label of the button that closes the page.
        public var close: String
    }
}
