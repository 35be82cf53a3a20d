@_spi(Inlay) public import InlaySurface
@_spi(Inlay) import InlayWire

/// An event of an ad, by the user or of the ad itself, read from a page's message.
@_spi(Inlay) public enum AdViewEvent: Hashable, Sendable {
    /// A part of the ad that leads somewhere; what stands in a frame says where itself.
    public enum Part: String, Hashable, Sendable { case creative, video, companion, icon }

    /// A moment of a video, or an action on it.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        case start, firstQuartile, midpoint, thirdQuartile, complete
        case progress, pause, resume, mute, unmute, skip
    }

    /// The reason for which an ad cannot be shown any longer.
    public enum Failure: Hashable, Sendable {
        /// The creative led its frame elsewhere, or took its own document away.
        case redirect
        /// The creative was in sight and drew nothing in time.
        case late
        /// The creative takes more than an ad may have.
        case heavy(OverusedResource)
        /// The player gave up; the number is the browser's, 0 when it has none.
        case media(Int)
        /// The player got nothing more for a while.
        case stall
    }

    /// A resource of which a creative uses too much.
    public enum OverusedResource: String, Hashable, Sendable, CaseIterable {
        /// It says more than anybody could hear.
        case messages
        /// It asks for more files than an ad is made of.
        case requests
        /// It keeps its own page from doing anything.
        case time
        /// Its long tasks fill its thread for seconds.
        case processor
        /// It holds more memory than an ad needs.
        case memory
    }

    /// Something of it was on screen for the first time.
    case rendered
    /// Half of it was on screen for long enough.
    case viewable
    /// Tapped; a creative says where it leads, for the app's own parts the ad says it.
    case tap(Part, String?)
    /// The end card is on screen.
    case card
    /// The mark over the video is on screen.
    case icon
    case close
    /// The creative put itself away.
    case hide
    case closeLanding
    /// At a place of the video, in milliseconds.
    case video(Phase, Int)
    case failed(Failure)

    /// Reads a message of kind `event`; `nil` for an unknown name, a missing part, or a part out of its limits.
    ///
    /// - Returns: The event, and the showing that it is about.
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
        // Nothing but the web opens, whatever a document of the ad asks for.
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
