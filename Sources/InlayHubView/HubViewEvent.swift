@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// A reader's action in a hub, read from a page's message.
@_spi(Inlay) public enum HubViewEvent: Hashable, Sendable {
    case back
    case forward
    case close
    case retry
    /// The reader followed a link: an address of the hub, of the app or of the web, not checked yet. `isFromDocument`
    /// says whether the event comes from a document in a frame, which may have a script of its own.
    case link(String, isFromDocument: Bool)
    /// The reader wants to see a video of a document; the address is not checked yet.
    case video(String, title: String?)
    case closeVideo
    /// The reader agreed to leave.
    case leave
    /// The reader stays.
    case stay
    /// The scroll offset of the page from its top, in points.
    case scrolled(Double)

    static let maximumTitleLength = 200
    private static let maximumOffset = 10_000_000.0

    /// Reads a message of kind `event`; `nil` for an unknown name, a missing part, or a part out of its limits.
    public init?(_ message: SurfaceMessage) {
        guard let name = message.eventName else { return nil }
        switch name {
        case "back": self = .back
        case "forward": self = .forward
        case "close": self = .close
        case "retry": self = .retry
        case "close-video": self = .closeVideo
        case "leave": self = .leave
        case "stay": self = .stay
        case "scrolled":
            guard let top = Self.offset(message.payload["top"]) else { return nil }
            self = .scrolled(top)
        case "link", "frame-link":
            guard let address = Self.address(message) else { return nil }
            self = .link(address, isFromDocument: name == "frame-link")
        case "video":
            guard let address = Self.address(message) else { return nil }
            let title = message.payload["title"]?.string.map { $0.prefix(scalars: Self.maximumTitleLength) }
            self = .video(address, title: title)
        default: return nil
        }
    }

    private static func offset(_ value: JSONValue?) -> Double? {
        switch value {
        case .integer(let top): abs(Double(top)) <= maximumOffset ? Double(top) : nil
        case .number(let top): abs(top) <= maximumOffset ? top : nil
        default: nil
        }
    }

    private static func address(_ message: SurfaceMessage) -> String? {
        guard let address = message.payload["value"]?.string, !address.isEmpty,
            address.utf8.count <= LinkTarget.maximumAddressLength
        else { return nil }
        return address
    }
}
