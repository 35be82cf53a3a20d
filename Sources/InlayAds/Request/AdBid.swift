import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// An ad that can be shown.
struct AdBid: Sendable {
    let creative: AdCreative
    /// The media file of a video; released with the bid.
    let mediaFile: MediaFile?
    var terms: AdResponseTerms
    let allowsMRAID: Bool
    let allowsFrames: Bool
    let impressionID: String?
    let trackers: AdTrackerList

    /// Returns the error code for trackers. An ad behind wrappers that was not drawn in time has VAST's own code.
    func trackerCode(of error: AdError, after input: AdInput) -> Int {
        guard case .renderTimedOut = input, case .video(let video) = creative, video.isWrapped else {
            return error.trackerCode
        }
        return VASTErrorCode.displayTimeout.rawValue
    }
}

/// A reader that turns a response into a bid that can be shown without a network.
struct AdBidReader {
    private let session: SessionContext
    private let configuration: AdsConfiguration
    private let trackerQueue: AdTrackerQueue
    private let memory: MediaFileMemory

    init(_ ads: Ads, _ configuration: AdsConfiguration) {
        (session, trackerQueue, memory) = (ads.session, ads.trackerQueue, ads.mediaFileMemory)
        self.configuration = configuration
    }

    func bid(_ response: AdResponse, format: AdFormat?) async throws(AdError) -> AdBid {
        do {
            return try await usableBid(response, format)
        } catch {
            // A cancelled load does not mean that the creative is faulty.
            guard !Task.isCancelled else { throw .cancelled }
            // Reports to the exchange and the advertiser that the creative cannot be used.
            var trackers = AdTrackerList(response, nil)
            if case .creative(_, let errors) = error { trackers.foreign[.error] = errors }
            var budget = AdCallBudget()
            trackerQueue.enqueue(.error, of: trackers, &budget, code: error.reason.trackerCode)
            await trackerQueue.settled()
            throw error.reason
        }
    }

    private enum Failure: Error {
        case creative(AdError, errors: [String])

        var reason: AdError {
            switch self {
            case .creative(let error, _): error
            }
        }
    }

    private func usableBid(_ response: AdResponse, _ format: AdFormat?) async throws(Failure) -> AdBid {
        if let wrong = Self.fault(response) { throw .creative(.invalidCreative(wrong), errors: []) }
        guard response.type.isVideo else {
            return bid(response, format, .html(response.adm, size: response.size))
        }
        var video = try await video(response.adm)
        do throws(MediaFileError) {
            let mediaFile = try await mediaFiles.mediaFile(of: video)
            video.choose(mediaFile.media)
            return bid(response, format, .video(video), mediaFile)
        } catch {
            throw .creative(.video(code: error.trackerCode, error.text), errors: video.errors)
        }
    }

    private func bid(
        _ response: AdResponse, _ format: AdFormat?, _ creative: AdCreative, _ mediaFile: MediaFile? = nil
    ) -> AdBid {
        AdBid(
            creative: creative, mediaFile: mediaFile, terms: AdResponseTerms(response, format: format),
            allowsMRAID: response.ext?.mraid ?? false, allowsFrames: response.ext?.frames ?? false,
            impressionID: response.ext?.impressionID, trackers: AdTrackerList(response, creative))
    }

    private func video(_ markup: String) async throws(Failure) -> AdVideo {
        do throws(AdVideoFailure) {
            let video = try await reader.video(from: markup)
            trackerQueue.counter.loaded(video)
            if video.upgradeCount > 0 {
                session.log.operation("ads: \(video.upgradeCount) addresses with http are fetched with https")
            }
            // The errors of other ads in the response belong to no impression, so they are sent at once.
            var budget = AdCallBudget()
            trackerQueue.call(video.failedAdErrors, &budget)
            return video
        } catch {
            throw .creative(.video(code: error.code, error.reason), errors: error.errors)
        }
    }

    private var reader: any AdVideoReader {
        if let videos = configuration.videos { return videos }
        var rules = VASTResolver.Rules()
        rules.limits.cleartextHosts = cleartextHosts
        return VASTVideoReader(
            transport: session.transport, clock: session.clock, userAgent: trackerQueue.agent, rules: rules)
    }

    private var mediaFiles: MediaFileLoader {
        MediaFileLoader(
            transport: session.transport, clock: session.clock, memory: memory, cleartextHosts: cleartextHosts
        )
    }

    private var cleartextHosts: Set<String> { AdCleartextHosts.hosts(for: session.configuration.baseURL) }

    private static func fault(_ response: AdResponse) -> String? {
        let markup = response.adm
        if markup.utf8.count > AdLimits.maximumMarkupBytes {
            return "adm has \(markup.utf8.count) bytes; \(AdLimits.maximumMarkupBytes) are the most"
        }
        if markup.allSatisfy(\.isWhitespace) { return "adm is empty" }
        if markup.utf8.contains(0) { return "adm holds a zero byte" }
        let isVAST = markup.range(of: "<VAST", options: .caseInsensitive) != nil
        if response.type.isVideo, !isVAST { return "adm of type \(response.type.rawValue) is no VAST" }
        let start = markup.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(200).lowercased()
        if response.type == .banner, isVAST, start.hasPrefix("<vast") || start.hasPrefix("<?xml") {
            return "adm of type 1 is VAST"
        }
        return nil
    }
}

/// The hosts that may be requested without TLS.
enum AdCleartextHosts {
    /// Returns the names of the local machine when the app's server runs on it, because a developer's server has no
    /// certificate. Empty for any other server.
    static func hosts(for server: URL) -> Set<String> {
        let hosts: Set = ["127.0.0.1", "localhost"]
        guard server.scheme?.lowercased() == "http", let host = server.host, hosts.contains(host) else {
            return []
        }
        return hosts
    }
}
