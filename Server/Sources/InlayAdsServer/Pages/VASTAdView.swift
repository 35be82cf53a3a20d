@_spi(Inlay) import InlayWire
import InlayWorkbench

/// One ad of a VAST document, as the Workbench shows it.
struct VASTAdView {
    /// A file of the video, and whether it is played.
    struct File {
        let fileType: String
        let fileSize: String
        let fileRate: String
        let fileDelivery: String
        let fileAddress: String
        let verdict: VASTVerdict
    }

    let adTitle: String
    let verdict: VASTVerdict
    let adFacts: [Fact]
    let hasAdFacts: Bool
    let files: [File]
    let hasFiles: Bool
    let calls: [VASTCallView]
    let hasCalls: Bool
    let banners: [VASTBannerView]
    let hasBanners: Bool

    /// An ad that was read.
    init(_ ad: VASTAd) {
        let media = ad.wrapper == nil ? ad.linear?.mediaFiles ?? [] : []
        let ranked = MediaFileRanking().ranked(media)
        adTitle = ad.title.isEmpty ? Self.name(ad.id) : ad.title
        verdict = Self.verdict(ad, hasFile: !ranked.isEmpty)
        adFacts = Self.facts(ad)
        files = Self.files(media, ranked)
        calls = VASTCallView.all(of: ad)
        banners =
            ad.companions.map { VASTBannerView($0) } + (ad.linear?.icons ?? []).map { VASTBannerView($0) }
        (hasAdFacts, hasFiles) = (!adFacts.isEmpty, !files.isEmpty)
        (hasCalls, hasBanners) = (!calls.isEmpty, !banners.isEmpty)
    }

    /// An ad that was refused while it was read.
    init(_ refusal: VASTRefusal) {
        adTitle = Self.name(refusal.id)
        verdict = VASTVerdict(refusing: refusal.code, refusal.detail)
        adFacts = [
            Fact(factName: "Tracking addresses", factValue: Count.grouped(refusal.errors.count))
        ]
        hasAdFacts = true
        (files, calls, banners) = ([], [], [])
        (hasFiles, hasCalls, hasBanners) = (false, false, false)
    }

    private static func name(_ id: String?) -> String { id.map { "Ad \($0)" } ?? "Untitled ad" }

    private static func verdict(_ ad: VASTAd, hasFile: Bool) -> VASTVerdict {
        if ad.wrapper != nil {
            return VASTVerdict(
                "Behind a wrapper", "warn", "Apps fetch this address; this page does not.")
        }
        guard ad.linear != nil else {
            return VASTVerdict(refusing: .unexpectedLinearity, "no media file can be played")
        }
        return hasFile
            ? VASTVerdict("Can be played", "good")
            : VASTVerdict(refusing: .noPlayableFile, "they play MP4 and WebM, and no programs")
    }

    // MARK: Facts

    private static func facts(_ ad: VASTAd) -> [Fact] {
        let about = [
            ("Ad server", ad.system), ("Advertiser", ad.advertiser),
            ("Categories", ad.categories.map(\.code).joined(separator: ", ")),
            ("Place", ad.sequence.map { "number \($0) of a pod" } ?? ""),
        ]
        let wrapper = ad.wrapper.map { wrapper in
            [
                ("Wrapped ad", wrapper.address),
                ("Another wrapper behind it", wrapper.followsWrappers ? "may follow" : "is not followed"),
                ("Blocked categories", wrapper.blockedCategories.map(\.code).joined(separator: ", ")),
            ]
        }
        let pairs = about + (wrapper ?? video(ad))
        return pairs.filter { !$0.1.isEmpty }.map { Fact(factName: $0.0, factValue: $0.1) }
    }

    private static func video(_ ad: VASTAd) -> [(String, String)] {
        guard let video = ad.linear else { return [] }
        let length = video.duration ?? .zero
        let overlays = ad.creatives.reduce(0) { count, creative in
            if case .nonLinear(let overlay) = creative.content { count + overlay.all.count } else { count }
        }
        return [
            ("Length", VASTText.time(length)),
            ("Can be skipped", video.skipOffset.map { "after " + VASTText.offset($0, in: length) } ?? "no"),
            ("Click-through address", video.clickThrough?.address ?? "nowhere"),
            ("Over the video", overlays > 0 ? "\(Count.of(overlays, "part")), read and not shown" : ""),
        ]
    }

    // MARK: Files

    private static func files(_ files: [VASTMediaFile], _ ranked: [VASTMediaFile]) -> [File] {
        let played = ranked.enumerated().map { place, file in
            File(
                file,
                place == 0 ? VASTVerdict("Chosen", "good") : VASTVerdict("Number \(place + 1)", "plain"))
        }
        let rest = files.filter { !ranked.contains($0) }.map { file in
            File(
                file,
                VASTVerdict(
                    file.apiFramework.map { "Program (\($0))" } ?? "Unsupported type", "danger"))
        }
        return played + rest
    }
}

extension VASTAdView.File {
    fileprivate init(_ file: VASTMediaFile, _ verdict: VASTVerdict) {
        self.init(
            fileType: file.type,
            fileSize: file.width > 0 && file.height > 0 ? "\(file.width) × \(file.height)" : "not specified",
            fileRate: file.bitrate.map { "\(Count.grouped($0)) kbit/s" } ?? "not specified",
            fileDelivery: file.delivery == .streaming ? "streamed" : "as a file",
            fileAddress: file.address, verdict: verdict)
    }
}

/// Times of VAST in words.
enum VASTText {
    /// `30 s`, `1 min 5 s`, `2.5 s`.
    static func time(_ time: Duration) -> String {
        let milliseconds = max(0, time.microseconds / 1_000)
        let (minutes, rest) = milliseconds.quotientAndRemainder(dividingBy: 60_000)
        let (seconds, part) = rest.quotientAndRemainder(dividingBy: 1_000)
        let digits = String(1_000 + part).dropFirst()
        let fraction = part == 0 ? "" : "." + String(digits.reversed().drop { $0 == "0" }.reversed())
        return minutes > 0 ? "\(minutes) min \(seconds)\(fraction) s" : "\(seconds)\(fraction) s"
    }

    /// Returns a moment of a video: a time, or a percentage of the length and its time.
    static func offset(_ offset: VASTOffset, in length: Duration) -> String {
        switch offset {
        case .time(let moment): time(moment)
        case .permille(let part):
            part % 10 == 0
                ? "\(part / 10) % (\(time(offset.time(in: length))))"
                : "\(part / 10).\(part % 10) % (\(time(offset.time(in: length))))"
        }
    }
}
