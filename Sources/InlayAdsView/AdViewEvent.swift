@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// An event of an ad, caused by the user or by the ad itself, read from a page's message.
@_spi(Inlay) public enum AdViewEvent: Hashable, Sendable {
    /// A part of the ad that can have a link. The page reports the address for documents in frames only.
    public enum Part: String, Hashable, Sendable { case creative, video, companion, icon }

    /// An event of a video, or a user's action on it.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case start, firstQuartile, midpoint, thirdQuartile, complete
        case progress, pause, resume, mute, unmute, skip
    }

    /// The reason why an ad cannot be shown any longer.
    public enum Failure: Hashable, Sendable {
        /// The creative navigated its frame elsewhere, or removed its own document.
        case redirect
        /// The creative was in view and drew nothing in time.
        case late
        /// The creative uses more of a resource than an ad may.
        case heavy(OverusedResource)
        /// The player failed; the number is the browser's error code, 0 when there is none.
        case media(Int)
        /// The player received no more data for a while.
        case stall
    }

    /// A resource of which a creative uses too much.
    public enum OverusedResource: String, Hashable, Sendable, CaseIterable {
        /// The creative sends too many messages to the page.
        case messages
        /// The creative requests too many files.
        case requests
        /// The creative blocks its own page.
        case time
        /// The creative's long tasks occupy its thread for seconds.
        case processor
        /// The creative uses too much memory.
        case memory
    }

    /// A first part of the ad is on screen.
    case rendered
    /// Half of the ad was on screen for long enough.
    case viewable
    /// The user tapped a part. The address is that of a document's link; without one, the ad's own link is followed.
    case tap(Part, String?)
    /// The end card is on screen.
    case card
    /// The icon over the video is on screen.
    case icon
    case close
    /// The creative hid or unloaded itself.
    case hide
    case closeLanding
    /// An event at a position of the video, in milliseconds.
    case video(Phase, Int)
    case failed(Failure)

    /// Reads a message of kind `event`; `nil` for an unknown name, a missing part, or a part out of its limits.
    ///
    /// - Returns: The event, and the id of the ad on the page.
    public static func read(_ message: SurfaceMessage) -> (event: AdViewEvent, ad: String)? {
        guard let name = message.eventName,
            let ad = (message.payload["ad"] ?? message.payload["value"])?.string, ad.utf8.count <= 200,
            let event = read(name, message.payload)
        else { return nil }
        return (event, ad)
    }

    private static func read(_ name: String, _ payload: JSONValue) -> AdViewEvent? {
        switch name {
        case "ad-rendered": .rendered
        case "ad-viewable": .viewable
        case "ad-card": .card
        case "ad-icon": .icon
        case "ad-close": .close
        case "ad-hide", "ad-unload": .hide
        case "ad-landing-close": .closeLanding
        case "ad-tap": tap(payload)
        case "ad-video": video(payload)
        case "ad-failed": failure(payload)
        default: nil
        }
    }

    private static func tap(_ payload: JSONValue) -> AdViewEvent? {
        guard let part = payload["part"]?.string.flatMap(Part.init) else { return nil }
        let address = payload["value"]?.string ?? ""
        // A document of the ad may only open web addresses.
        if let target = LinkTarget.web(address) { return .tap(part, target) }
        return part != .creative && address.isEmpty ? .tap(part, nil) : nil
    }

    private static func video(_ payload: JSONValue) -> AdViewEvent? {
        guard let phase = payload["phase"]?.string.flatMap(Phase.init),
            case .integer(let position)? = payload["position"], (0...86_400_000).contains(position)
        else { return nil }
        return .video(phase, Int(position))
    }

    private static func failure(_ payload: JSONValue) -> AdViewEvent? {
        switch payload["value"]?.string {
        case "redirect": return .failed(.redirect)
        case "late": return .failed(.late)
        case "heavy":
            return payload["code"]?.string.flatMap(OverusedResource.init).map { .failed(.heavy($0)) }
        case "media":
            let code = payload["code"]?.string ?? ""
            return .failed(
                code == "stall" ? .stall : .media(Int(code).flatMap { (0...9).contains($0) ? $0 : nil } ?? 0))
        default: return nil
        }
    }
}
