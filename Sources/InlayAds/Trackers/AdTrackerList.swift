@_spi(Inlay) import InlayWire

/// The addresses that belong to one creative, by event.
struct AdTrackerList: Hashable, Sendable {
    /// Of the response: they reach the exchange, which bills by them.
    var own: [AdEventName: [String]] = [:]
    /// Of the creative: they reach the servers that the advertiser chose for counting.
    var foreign: [AdEventName: [String]] = [:]
    var progress: [AdVideo.Progress] = []

    init() {}

    /// - Parameter creative: `nil` where it is of no use.
    init(_ answer: AdResponse, _ creative: AdCreative?) {
        add(answer.tracker.others)
        add(answer.ext?.events ?? [:])
        // The documented pair has the last word on its two events.
        own[.view] = [answer.tracker.view].filter { !$0.isEmpty }
        own[.click] = [answer.tracker.click].filter { !$0.isEmpty }
        guard case .video(let video)? = creative else { return }
        foreign = video.trackers
        // A video on screen is loaded as well. Sent earlier, the event would only say that a user may watch.
        let early = [AdEventName.loaded, .creativeView].flatMap { video.trackers[$0] ?? [] }
        foreign[.view, default: []] += video.impressions + early + Self.unmeasured(video)
        foreign[.click, default: []] += video.clickTrackers
        foreign[.error, default: []] += video.errors
        progress = video.progress
    }

    /// Notifies measurement vendors that their code does not run here; with VAST's reason code 2, "not supported".
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
