import Foundation
import InlayCore
import InlayWire

/// An ad that can be shown.
struct AdOffer: Sendable {
    let creative: AdCreative
    /// The film of a video; given back with the offer.
    let film: AdFilm?
    var terms: AdTerms
    let allowsMRAID: Bool
    let impressionID: String?
    let trackers: AdTrackerSheet

    /// The number that trackers get for an error. An ad behind wrappers that was not drawn in time has one of its own.
    func trackerCode(of error: AdError, after input: AdInput) -> Int {
        guard case .undrawn = input, case .video(let video) = creative, video.isWrapped else {
            return error.trackerCode
        }
        return VASTErrorCode.displayTimeout.rawValue
    }
}

/// Makes an offer of an answer, or says why it is none. An offer can be shown without a network.
struct AdOfferMaker {
    private let session: SessionContext
    private let configuration: AdsConfiguration
    private let desk: AdTrackerDesk
    private let memory: AdFilmMemory

    init(_ ads: Ads, _ configuration: AdsConfiguration) {
        (session, desk, memory) = (ads.session, ads.desk, ads.filmMemory)
        self.configuration = configuration
    }

    func offer(_ answer: AdResponse, format: AdFormat?) async throws(AdError) -> AdOffer {
        do {
            return try await made(answer, format)
        } catch {
            // Whoever gives a load up finds no fault with its creative.
            guard !Task.isCancelled else { throw .cancelled }
            // The exchange and the advertiser learn that this creative is of no use.
            var sheet = AdTrackerSheet(answer, nil)
            if case .creative(_, let errors) = error { sheet.foreign[.error] = errors }
            var budget = AdCallBudget()
            desk.count(.error, sheet, &budget, code: error.reason.trackerCode)
            await desk.settled()
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

    private func made(_ answer: AdResponse, _ format: AdFormat?) async throws(Failure) -> AdOffer {
        if let wrong = Self.fault(answer) { throw .creative(.invalidCreative(wrong), errors: []) }
        guard answer.type.isVideo else {
            return offer(answer, format, .html(answer.adm, size: answer.size))
        }
        var video = try await video(answer.adm)
        do throws(AdFilmFailure) {
            let film = try await films.film(of: video)
            video.choose(film.media)
            return offer(answer, format, .video(video), film)
        } catch {
            throw .creative(.video(code: error.trackerCode, error.text), errors: video.errors)
        }
    }

    private func offer(
        _ answer: AdResponse, _ format: AdFormat?, _ creative: AdCreative, _ film: AdFilm? = nil
    ) -> AdOffer {
        AdOffer(
            creative: creative, film: film, terms: AdTerms(answer, format: format),
            allowsMRAID: answer.ext?.mraid ?? false, impressionID: answer.ext?.impressionID,
            trackers: AdTrackerSheet(answer, creative))
    }

    private func video(_ markup: String) async throws(Failure) -> AdVideo {
        do throws(AdVideoFailure) {
            let video = try await reader.video(from: markup)
            desk.counter.loaded(video)
            if video.upgradeCount > 0 {
                session.log.operation("ads: \(video.upgradeCount) addresses with http are fetched with https")
            }
            // Of other ads in the same answer; they belong to no impression and wait for none.
            var budget = AdCallBudget()
            desk.call(video.missed, &budget)
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
            transport: session.transport, clock: session.clock, userAgent: desk.agent, rules: rules)
    }

    private var films: AdFilmLoader {
        AdFilmLoader(
            transport: session.transport, clock: session.clock, memory: memory, plainHosts: plainHosts)
    }

    private var plainHosts: Set<String> { AdPlainHosts.hosts(for: session.configuration.baseURL) }

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
