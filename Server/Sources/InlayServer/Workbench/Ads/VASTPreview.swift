import InlayWire

/// What apps make of a VAST document: read by the parser that they have, under its limits, judged by its rules.
///
/// Nothing is fetched. What is behind a wrapper, and whether a file is there at all, only an app sees.
struct VASTPreview {
    /// Something that was dropped from the document.
    struct LeftOut {
        let leftOutPlace: String
        let leftOutRule: String
    }

    /// The version and how many ads there are.
    let vastWords: String
    /// Why nothing of it is shown.
    let vastFault: VASTVerdict?
    let ads: [VASTAdView]
    let leftOut: [LeftOut]
    let hasLeftOut: Bool
    /// What came with http.
    let plain: PlainAddresses?
    let limitWords: String
    /// The file that is played first; `nil` when there is none, or it is behind a wrapper.
    let film: VASTMediaFile?

    /// Reads a document. Hosts of `plainHosts` are reached without TLS.
    init(_ markup: String, plainHosts: Set<String> = []) {
        let limits = VASTLimits(plainHosts: plainHosts)
        limitWords = Self.words(for: limits)
        do throws(VASTError) {
            let document = try VASTDocument(reading: markup, limits: limits)
            let count = document.ads.count + document.refused.count
            vastWords = "VAST \(document.version), \(Count.of(count, "ad"))"
            vastFault =
                count == 0
                ? VASTVerdict(refusing: .noAdBehindWrapper, "the document has none") : nil
            ads = Self.inOrder(document).map { VASTAdView($0) } + document.refused.map { VASTAdView($0) }
            leftOut = document.faults.map { LeftOut(leftOutPlace: $0.place, leftOutRule: $0.detail) }
            film = Self.film(Self.inOrder(document))
            plain = PlainAddresses(
                document.upgrades.map { ($0.place, $0.address) }, count: document.upgradeCount)
        } catch {
            vastWords = "Not read"
            vastFault = VASTVerdict(refusing: error.code, error.detail)
            (ads, leftOut, film, plain) = ([], [], nil, nil)
        }
        hasLeftOut = !leftOut.isEmpty
    }

    /// As apps try them: a pod in its sequence, then what stands alone.
    private static func inOrder(_ document: VASTDocument) -> [VASTAd] { document.pod + document.standAlone }

    /// What is behind a wrapper comes before the ads that follow it, and is not known here.
    private static func film(_ ads: [VASTAd]) -> VASTMediaFile? {
        for ad in ads {
            if ad.wrapper != nil { return nil }
            if let file = MediaChoice().ranked(ad.linear?.mediaFiles ?? []).first { return file }
        }
        return nil
    }

    private static func words(for limits: VASTLimits) -> String {
        let plain = limits.plainHosts.isEmpty ? "" : ", or over http from the same machine"
        return
            "Apps read at most \(limits.bytes >> 10) KiB, \(limits.ads) ads, \(limits.files) files of a video and "
            + "\(limits.trackersPerEvent) addresses for one event, each over https\(plain). Programs (VPAID) never run."
    }
}

/// What becomes of an ad or a file.
struct VASTVerdict {
    let verdictWords: String
    /// A pill's style.
    let verdictStyle: String
    let verdictWhy: String?

    init(_ words: String, _ style: String, _ why: String? = nil) {
        (verdictWords, verdictStyle, verdictWhy) = (words, style, why)
    }

    /// Not shown; its ad server is told a code.
    init(refusing code: VASTErrorCode, _ detail: String) {
        self.init(
            "Refused with VAST error \(code.rawValue)", "danger",
            "\(code.words): \(detail).")
    }
}

extension VASTErrorCode {
    /// What the code says, for people.
    fileprivate var words: String {
        switch self {
        case .unreadable: "It cannot be read"
        case .invalid: "It breaks the rules of VAST"
        case .unknownVersion: "A version of VAST that apps do not know"
        case .unexpectedLinearity: "No video"
        case .wrapper: "A wrapper that cannot be followed"
        case .noAdBehindWrapper: "No ad"
        case .noPlayableFile: "No file that apps play"
        default: "It cannot be shown"
        }
    }
}
