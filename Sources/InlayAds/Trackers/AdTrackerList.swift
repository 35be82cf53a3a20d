@_spi(Inlay) import InlayWire

/// The tracker addresses of one ad, by event.
struct AdTrackerList: Hashable, Sendable {
    /// The trackers of the response, on the exchange, which bills by them.
    var own: [AdEventName: [String]] = [:]
    /// The trackers of the creative, on servers that the advertiser chose for counting.
    var foreign: [AdEventName: [String]] = [:]
    var progress: [AdVideo.Progress] = []

    init() {}

    /// - Parameter creative: the creative of the response; `nil` when it cannot be used.
    init(_ response: AdResponse, _ creative: AdCreative?) {
        add(response.tracker.others)
        add(response.ext?.events ?? [:])
        // For these two events, the documented addresses replace all others.
        own[.view] = [response.tracker.view].filter { !$0.isEmpty }
        own[.click] = [response.tracker.click].filter { !$0.isEmpty }
        guard case .video(let video)? = creative else { return }
        foreign = video.trackers
        // Sent with the view: before the video is on screen, `loaded` would only mean that a user may watch it.
        let early = [AdEventName.loaded, .creativeView].flatMap { video.trackers[$0] ?? [] }
        foreign[.view, default: []] += video.impressions + early + Self.unmeasured(video)
        foreign[.click, default: []] += video.clickTrackers
        foreign[.error, default: []] += video.errors
        progress = video.progress
    }

    /// Returns the addresses that tell measurement vendors that their code does not run here: VAST's reason code 2,
    /// "not supported".
    private static func unmeasured(_ video: AdVideo) -> [String] {
        video.verifications.flatMap(\.notExecuted).map { address in
            VASTMacros.filled(address) { $0 == "REASON" ? "2" : nil }
        }
    }

    private mutating func add(_ events: [String: String]) {
        for (name, address) in events where !address.isEmpty {
            own[AdEventName(rawValue: name)] = [address]
        }
    }
}
