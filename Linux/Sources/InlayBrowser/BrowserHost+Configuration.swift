@_spi(Inlay) public import InlayWebHost

extension BrowserHost {
    /// The settings of a host; the defaults suit an app on the developer's machine.
    public struct Configuration: Sendable {
        /// The port on 127.0.0.1; 0, the default, takes a free one.
        public var port = 0
        /// The title of the pages until their surface sets its own.
        public var title = ""
        /// Pages of the app's own around the surfaces, for example a frame that embeds one: the
        /// content for a path such as `frame.css`, or `nil` for 404. The start page has the empty path.
        ///
        /// They get the same strict policy as the surfaces: own files only, nothing inline.
        public var shell: (@Sendable (_ path: String) -> WebContent?)?
        /// The largest message a page may send; 256 KiB by default. A larger one closes its socket.
        public var maximumMessageBytes: Int {
            get { limits.maximumMessageBytes }
            set { limits.maximumMessageBytes = newValue }
        }
        /// The average number of messages that a page may send in a second; 30 by default. Four times as many
        /// may come at once. More closes its socket.
        public var messagesPerSecond: Int {
            get { limits.messagesPerSecond }
            set { limits.messagesPerSecond = newValue }
        }
        /// The maximum number of connected pages; 64 by default. The next one is refused with 503.
        public var maximumViews = 64
        /// The maximum time until a page sends its environment; 10 s by default.
        public var readyLimit: Duration = .seconds(10)

        var limits = PageLimits()

        /// The defaults.
        public init() {}
    }
}

extension BrowserHost {
    /// Why a host cannot start.
    public enum Failure: Error, Hashable, Sendable {
        /// Two surfaces have this name; give each its own.
        case sameName(String)
    }
}
