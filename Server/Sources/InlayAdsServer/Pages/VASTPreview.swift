import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The preview of a VAST document as apps read it: by the same parser, with the same limits and rules.
///
/// Nothing is fetched: only an app sees what is behind a wrapper, and whether a file exists.
struct VASTPreview {
    /// Something that was dropped from the document.
    struct DroppedItem {
        let leftOutPlace: String
        let leftOutRule: String
    }

    /// The version and the number of ads.
    let vastText: String
    /// The reason why nothing of the document is shown.
    let vastFault: VASTVerdict?
    let ads: [VASTAdView]
    let leftOut: [DroppedItem]
    let hasLeftOut: Bool
    /// The addresses in the document that use http.
    let plain: InsecureAddresses?
    let limitText: String
    /// The file that is played first; `nil` when there is none, or it is behind a wrapper.
    let mediaFile: VASTMediaFile?

    /// Reads a document. Hosts of `cleartextHosts` are reached without TLS.
    init(_ markup: String, cleartextHosts: Set<String> = []) {
        let limits = VASTLimits(cleartextHosts: cleartextHosts)
        limitText = Self.words(for: limits)
        do throws(VASTError) {
            let document = try VASTDocument(reading: markup, limits: limits)
            let count = document.ads.count + document.refused.count
            vastText = "VAST \(document.version), \(Count.of(count, "ad"))"
            vastFault =
                count == 0
                ? VASTVerdict(refusing: .noAdBehindWrapper, "the document has none") : nil
            ads = Self.inOrder(document).map { VASTAdView($0) } + document.refused.map { VASTAdView($0) }
            leftOut = document.faults.map { DroppedItem(leftOutPlace: $0.path, leftOutRule: $0.detail) }
            mediaFile = Self.firstFile(Self.inOrder(document))
            plain = InsecureAddresses(
                document.upgrades.map { ($0.path, $0.address) }, count: document.upgradeCount)
        } catch {
            vastText = "Not read"
            vastFault = VASTVerdict(refusing: error.code, error.detail)
            (ads, leftOut, mediaFile, plain) = ([], [], nil, nil)
        }
        hasLeftOut = !leftOut.isEmpty
    }

    /// Returns the ads in the order in which apps try them: a pod in its sequence, then stand-alone ads.
    private static func inOrder(_ document: VASTDocument) -> [VASTAd] { document.pod + document.standAlone }

    /// Returns the first media file; an ad behind a wrapper comes before later ads, and is not known here.
    private static func firstFile(_ ads: [VASTAd]) -> VASTMediaFile? {
        for ad in ads {
            if ad.wrapper != nil { return nil }
            if let file = MediaFileRanking().ranked(ad.linear?.mediaFiles ?? []).first { return file }
        }
        return nil
    }

    private static func words(for limits: VASTLimits) -> String {
        let plain = limits.cleartextHosts.isEmpty ? "" : ", or over http from the same machine"
        return
            "Apps read at most \(limits.bytes >> 10) KiB, \(limits.ads) ads, \(limits.files) files of a video and "
            + "\(limits.trackersPerEvent) addresses for one event, each over https\(plain). Programs (VPAID) never run."
    }
}

/// The verdict on an ad or a file.
struct VASTVerdict {
    let verdictText: String
    /// A pill's style.
    let verdictStyle: String
    let verdictWhy: String?

    init(_ words: String, _ style: String, _ why: String? = nil) {
        (verdictText, verdictStyle, verdictWhy) = (words, style, why)
    }

    /// Creates the verdict on an ad that is not shown, and whose ad server gets an error code.
    init(refusing code: VASTErrorCode, _ detail: String) {
        self.init(
            "Refused with VAST error \(code.rawValue)", "danger",
            "\(code.words): \(detail).")
    }
}

extension VASTErrorCode {
    /// The label of the error code.
    fileprivate var words: String {
        switch self {
        case .unreadable: "It cannot be read"
        case .invalid: "It breaks the rules of VAST"
        case .unknownVersion: "A version of VAST that apps do not know"
        case .unexpectedLinearity: "No video"
        case .wrapper: "A wrapper that cannot be followed"
        case .noAdBehindWrapper: "No ad"
        case .noPlayableFile: "No file that apps play"
        default: "Cannot be shown"
        }
    }
}
