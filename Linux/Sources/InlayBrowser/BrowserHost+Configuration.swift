public import Foundation

extension BrowserHost {
    /// How a host behaves; the defaults suit an app on the developer's machine.
    public struct Configuration: Sendable {
        /// The port on 127.0.0.1; 0, the default, takes a free one.
        public var port = 0
        /// The title of the pages until their surface sets its own.
        public var title = ""
        /// Pages of the app's own around the surfaces, for example a frame that embeds one: the
        /// content for a path such as `frame.css`, or `nil` for 404. The start page has the empty path.
        ///
        /// They get the same strict policy as the surfaces: own files only, nothing inline.
        public var shell: (@Sendable (_ path: String) -> BrowserContent?)?
        /// The largest message a page may send; 64 KiB by default. A larger one closes its socket.
        public var maximumMessageBytes = 64 << 10
        /// How many messages a page may send in a second, on average; 30 by default. Four times as many
        /// may come at once. More closes its socket.
        public var messagesPerSecond = 30
        /// How many pages may be connected at once; 64 by default. The next one is refused with 503.
        public var maximumViews = 64
        /// How long a page may take to say how its device is set; 10 s by default.
        public var readyLimit: Duration = .seconds(10)

        /// The defaults.
        public init() {}
    }
}

/// Bytes with their media type.
public struct BrowserContent: Sendable {
    /// For example `image/png` or `text/html; charset=utf-8`.
    public var mediaType: String
    /// The bytes.
    public var data: Data

    /// Content with its type.
    public init(mediaType: String, data: Data) {
        self.mediaType = mediaType
        self.data = data
    }
}

/// Why a host cannot start.
public enum BrowserHostError: Error, Hashable, Sendable {
    /// Two surfaces have this name; give each its own.
    case sameName(String)
}
