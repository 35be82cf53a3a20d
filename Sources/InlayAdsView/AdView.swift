@_spi(Inlay) public import InlaySurface

/// The view model of an ad's page, for a template or for a renderer of another kind.
@_spi(Inlay) public struct AdView: Codable, Hashable, Sendable {
    /// Title, scheme, direction and custom properties of the page.
    public var root: SurfaceFrame.Root
    /// A document in a frame.
    public var creative: Creative?
    /// A video.
    public var video: Video?
    /// A page over everything.
    public var landing: Landing?

    /// A document in a frame, with the way out above it.
    public struct Creative: Codable, Hashable, Sendable {
        /// Names this showing on the page.
        public var id: String
        /// The address at which the frame loads the document.
        public var source: String
        /// The sandbox of the frame.
        public var sandbox: String
        /// The settings for the host's script in the frame.
        public var setup: String
        /// `inline` or `interstitial`, in MRAID's words.
        public var placement: String
        /// Width and height in points; absent where it takes what is there.
        public var size: Size?
        /// Whether it takes what is there.
        public var isAdaptive: Bool
        /// Whether it gets MRAID.
        public var isMRAID: Bool
        /// The label for screen readers.
        public var label: String
        /// The button that makes an enlarged creative small again.
        public var collapse: String
        /// The button that closes the ad; absent while it cannot be closed.
        public var close: String?
        /// Announced by a screen reader when the button appears.
        public var announcement: String?
    }

    /// Width and height in points.
    public struct Size: Codable, Hashable, Sendable {
        public var width: Int
        public var height: Int
    }

    /// A video with the app's own controls.
    public struct Video: Codable, Hashable, Sendable {
        /// Names this showing on the page.
        public var id: String
        /// The address at which the player loads the file.
        public var source: String
        /// The address at which the host loaded it.
        public var address: String
        /// The duration that the ad names.
        public var milliseconds: Int
        /// From when on it can be skipped.
        public var skipMilliseconds: Int?
        /// Whether watching to the end earns something.
        public var isRewarded: Bool
        /// The label for screen readers, and the visible mark.
        public var label: String
        public var mark: String
        /// The labels of the controls.
        public var play: String
        public var sound: String
        /// The button that leads to the advertiser; absent when a tap leads nowhere.
        public var link: String?
        /// The button that skips, and what it says while it waits.
        public var skip: String?
        public var skipIn: String
        /// The texts about the reward while the video runs, and after it.
        public var rewardIn: String
        public var rewarded: String
        /// A picture that names who placed the ad.
        public var icon: Icon?
        /// A picture after the end.
        public var endPicture: Picture?
        /// A document after the end.
        public var endDocument: Document?
        /// The button that closes the ad; absent while it cannot be closed.
        public var close: String?
        /// Announced by a screen reader when the button appears.
        public var announcement: String?
    }

    /// A picture of the ad.
    public struct Picture: Codable, Hashable, Sendable {
        /// The address at which the page loads it.
        public var source: String
        /// A description of the picture.
        public var text: String
        /// Whether a tap leads anywhere.
        public var isLink: Bool
    }

    /// A picture over a video, for a part of it.
    public struct Icon: Codable, Hashable, Sendable {
        /// The address at which the page loads it.
        public var source: String
        /// A description of the picture.
        public var text: String
        /// Whether a tap leads anywhere.
        public var isLink: Bool
        /// The times at which it appears and goes, in milliseconds of the video.
        public var from: Int
        public var until: Int?
    }

    /// A document of the ad in a frame of its own.
    public struct Document: Codable, Hashable, Sendable {
        /// The address at which the frame loads it.
        public var source: String
        /// The sandbox of the frame.
        public var sandbox: String
        /// The settings for the host's script in the frame.
        public var setup: String
        /// The label for screen readers.
        public var label: String
        /// Width and height in points; absent where it takes what is there.
        public var size: Size?
    }

    /// A page of the advertiser's over the app.
    public struct Landing: Codable, Hashable, Sendable {
        /// Names the showing it belongs to.
        public var id: String
        /// The address at which the frame loads the document around the page.
        public var source: String
        /// The page.
        public var address: String
        /// The host name of the page.
        public var host: String
        /// The label for screen readers.
        public var title: String
        /// The sandbox of the page.
        public var sandbox: String
        /// The button that leaves it.
        public var close: String
    }
}
