@_spi(Inlay) public import InlayWebHost

extension BrowserHost {
    /// The settings of a host; the defaults suit an app on the developer's machine.
    public struct Configuration: Sendable {
        /// The port on 127.0.0.1. The default, 0, uses any free port.
        public var port = 0
        /// The title of the pages until their surface sets its own.
        public var title = ""
        /// The app's own pages, for example one that embeds a surface in a frame. The closure returns the content
        /// of a path such as `frame.css`, or `nil` for 404. The start page has the empty path.
        ///
        /// These pages have the Content Security Policy of surfaces: they load only files of this host, and run
        /// nothing inline. Besides, they may embed pages of this host in frames.
        public var shell: (@Sendable (_ path: String) -> WebContent?)?
        /// The largest message a page may send; 256 KiB by default. A larger one closes its socket.
        public var maximumMessageBytes: Int {
            get { limits.maximumMessageBytes }
            set { limits.maximumMessageBytes = newValue }
        }
        /// The average number of messages that a page may send in a second; 30 by default. A burst may be four
        /// times as large. A page that sends more loses its socket.
        public var messagesPerSecond: Int {
            get { limits.messagesPerSecond }
            set { limits.messagesPerSecond = newValue }
        }
        /// The maximum number of connected pages; 64 by default. The next one is refused with 503.
        public var maximumViews = 64
        /// The maximum time until a page sends its environment; 10 s by default.
        public var readyLimit: Duration = .seconds(10)

        var limits = PageLimits()

        /// A configuration with the defaults.
        public init() {}
    }
}

extension BrowserHost {
    /// The reason why a host cannot start.
    public enum Failure: Error, Hashable, Sendable {
        /// Two surfaces have this name; give each its own.
        case sameName(String)
    }
}
