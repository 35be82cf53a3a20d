import Foundation
import InlayCore
import InlayWire

/// An ad that can be shown.
struct AdOffer: Sendable {
    let creative: AdCreative
    var terms: AdTerms
    let allowsMRAID: Bool
    let impressionID: String?
    let trackers: AdTrackerSheet
}

/// Makes an offer of an answer, or says why it is none.
struct AdOfferMaker {
    private let session: InlaySession
    private let configuration: AdsConfiguration
    private let desk: AdTrackerDesk

    init(_ session: InlaySession, _ configuration: AdsConfiguration, _ desk: AdTrackerDesk) {
        (self.session, self.configuration, self.desk) = (session, configuration, desk)
    }

    func offer(_ answer: AdResponse, format: AdFormat?) async throws(AdError) -> AdOffer {
        do {
            return try await made(answer, format)
        } catch {
            // The exchange and the advertiser learn that this creative is of no use.
            var sheet = AdTrackerSheet(answer, nil)
            if case .creative(_, let errors) = error { sheet.foreign[.error] = errors }
            desk.count(.error, sheet, code: error.reason.trackerCode)
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
        var video: AdVideo?
        if answer.type.isVideo {
            do { video = try await reader.video(from: answer.adm) } catch {
                throw .creative(.video(code: error.code, error.reason), errors: error.errors)
            }
            // Of other ads in the same answer; they belong to no impression and wait for none.
            desk.call(video?.missed ?? [])
        }
        return AdOffer(
            creative: video.map { .video($0) } ?? .html(answer.adm, size: answer.size),
            terms: AdTerms(answer, format: format), allowsMRAID: answer.ext?.mraid ?? false,
            impressionID: answer.ext?.impressionID, trackers: AdTrackerSheet(answer, video))
    }

    private var reader: any AdVideoReader {
        if let videos = configuration.videos { return videos }
        var rules = VASTResolver.Rules()
        // Who tries things out with a server on this machine has no certificate; videos may then come plain
        // from it, and from nowhere else.
        if session.configuration.baseURL.scheme?.lowercased() == "http" {
            rules.limits.plainHosts = ["127.0.0.1", "localhost"]
        }
        return VASTVideoReader(
            transport: session.transport, clock: session.clock, userAgent: desk.agent, rules: rules)
    }

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
