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

    /// The number that trackers get for an error. An ad behind wrappers that was not drawn in time has one of its own.
    func trackerCode(of error: AdError, after input: AdInput) -> Int {
        guard case .undrawn = input, case .video(let video) = creative, video.isWrapped else {
            return error.trackerCode
        }
        return VASTErrorCode.displayTimeout.rawValue
    }
}

/// Makes an offer of an answer, or says why it is none. An offer can be shown without a network.
struct AdBidReader {
    private let session: SessionContext
    private let configuration: AdsConfiguration
    private let trackerQueue: AdTrackerQueue
    private let memory: MediaFileCache

    init(_ ads: Ads, _ configuration: AdsConfiguration) {
        (session, trackerQueue, memory) = (ads.session, ads.trackerQueue, ads.mediaFileCache)
        self.configuration = configuration
    }

    func bid(_ answer: AdResponse, format: AdFormat?) async throws(AdError) -> AdBid {
        do {
            return try await made(answer, format)
        } catch {
            // A cancelled load is no fault of its creative.
            guard !Task.isCancelled else { throw .cancelled }
            // The exchange and the advertiser learn that this creative is of no use.
            var sheet = AdTrackerList(answer, nil)
            if case .creative(_, let errors) = error { sheet.foreign[.error] = errors }
            var budget = AdCallBudget()
            trackerQueue.count(.error, sheet, &budget, code: error.reason.trackerCode)
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

    private func made(_ answer: AdResponse, _ format: AdFormat?) async throws(Failure) -> AdBid {
        if let wrong = Self.fault(answer) { throw .creative(.invalidCreative(wrong), errors: []) }
        guard answer.type.isVideo else {
            return bid(answer, format, .html(answer.adm, size: answer.size))
        }
        var video = try await video(answer.adm)
        do throws(MediaFileError) {
            let mediaFile = try await mediaFiles.mediaFile(of: video)
            video.choose(mediaFile.media)
            return bid(answer, format, .video(video), mediaFile)
        } catch {
            throw .creative(.video(code: error.trackerCode, error.text), errors: video.errors)
        }
    }

    private func bid(
        _ answer: AdResponse, _ format: AdFormat?, _ creative: AdCreative, _ mediaFile: MediaFile? = nil
    ) -> AdBid {
        AdBid(
            creative: creative, mediaFile: mediaFile, terms: AdResponseTerms(answer, format: format),
            allowsMRAID: answer.ext?.mraid ?? false, allowsFrames: answer.ext?.frames ?? false,
            impressionID: answer.ext?.impressionID, trackers: AdTrackerList(answer, creative))
    }

    private func video(_ markup: String) async throws(Failure) -> AdVideo {
        do throws(AdVideoFailure) {
            let video = try await reader.video(from: markup)
            trackerQueue.counter.loaded(video)
            if video.upgradeCount > 0 {
                session.log.operation("ads: \(video.upgradeCount) addresses with http are fetched with https")
            }
            // Of other ads in the same answer; they belong to no impression and wait for none.
            var budget = AdCallBudget()
            trackerQueue.call(video.missed, &budget)
            return video
        } catch {
            throw .creative(.video(code: error.code, error.reason), errors: error.errors)
        }
    }

    private var reader: any AdVideoReader {
        if let videos = configuration.videos { return videos }
        var rules = VASTResolver.Rules()
        rules.limits.plainHosts = plainHosts
        return VASTVideoReader(
            transport: session.transport, clock: session.clock, userAgent: trackerQueue.agent, rules: rules)
    }

    private var mediaFiles: MediaFileLoader {
        MediaFileLoader(
            transport: session.transport, clock: session.clock, memory: memory, plainHosts: plainHosts)
    }

    private var plainHosts: Set<String> { AdCleartextHosts.hosts(for: session.configuration.baseURL) }

    private static func fault(_ answer: AdResponse) -> String? {
        let markup = answer.adm
        if markup.utf8.count > AdLimits.markupBytes {
            return "adm has \(markup.utf8.count) bytes; \(AdLimits.markupBytes) are the most"
        }
        if markup.allSatisfy(\.isWhitespace) { return "adm is empty" }
        if markup.utf8.contains(0) { return "adm holds a zero byte" }
        let isVAST = markup.range(of: "<VAST", options: .caseInsensitive) != nil
        if answer.type.isVideo, !isVAST { return "adm of type \(answer.type.rawValue) is no VAST" }
        let start = markup.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(200).lowercased()
        if answer.type == .banner, isVAST, start.hasPrefix("<vast") || start.hasPrefix("<?xml") {
            return "adm of type 1 is VAST"
        }
        return nil
    }
}

/// The hosts that may be requested without TLS.
enum AdCleartextHosts {
    /// This machine, for an app whose server runs there too, because a developer's server has no certificate. Empty
    /// for any other app.
    static func hosts(for server: URL) -> Set<String> {
        let hosts: Set = ["127.0.0.1", "localhost"]
        guard server.scheme?.lowercased() == "http", let host = server.host, hosts.contains(host) else {
            return []
        }
        return hosts
    }
}
