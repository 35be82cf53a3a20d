import InlayCore
@_spi(Inlay) import InlayWire

/// The SDK's reader of VAST: follows wrappers, then chooses a media file.
struct VASTVideoReader: AdVideoReader {
    private let resolver: VASTResolver
    private let ranking: MediaFileRanking

    /// Creates a reader. The requests of its transport pass the session's gate and carry no token.
    init(
        transport: any Transport, clock: any SessionClock, userAgent: String? = nil,
        rules: VASTResolver.Rules = .init(), ranking: MediaFileRanking = MediaFileRanking()
    ) {
        resolver = VASTResolver(transport: transport, clock: clock, rules: rules, userAgent: userAgent)
        self.ranking = ranking
    }

    func video(from markup: String) async throws(AdVideoFailure) -> AdVideo {
        // A placement plays one video, so the ads after the first playable one are not requested.
        let found = await resolver.resolve(markup) { [ranking] ad in
            !ranking.ranked(ad.video.mediaFiles).isEmpty
        }
        var failedAdErrors = found.failures.flatMap(\.calls)
        for ad in found.ads {
            if var video = AdVideo(ad, ranking, failedAdErrors: failedAdErrors) {
                (video.upgrades, video.upgradeCount) = (found.upgrades, found.upgradeCount)
                return video
            }
            // The ad has no media file that this player supports.
            let failure = VASTFailure(code: .noPlayableFile, detail: Self.noFile, errors: ad.errors)
            failedAdErrors += failure.calls
        }
        let first = found.failures.first
        let code = found.ads.isEmpty ? first?.code ?? .undefined : .noPlayableFile
        throw AdVideoFailure(
            code: code.rawValue, reason: found.ads.isEmpty ? first?.detail ?? "no ad" : Self.noFile,
            errors: failedAdErrors)
    }

    private static let noFile = "no media file that can be played here"
}

extension AdVideo {
    /// Creates the video of an ad with its best media file; `nil` when no file can be played.
    init?(_ ad: VASTPlayable, _ ranking: MediaFileRanking, failedAdErrors: [String] = []) {
        let files = ranking.ranked(ad.video.mediaFiles)
        guard let file = files.first else { return nil }
        let length = ad.video.duration ?? .zero
        self.init(
            media: Media(file), alternatives: files.dropFirst().map(Media.init), duration: ad.video.duration,
            skipOffset: ad.video.skipOffset?.time(in: length), clickThrough: ad.video.clickThrough?.address,
            impressions: ad.impressions, clickTrackers: ad.video.clickTracking.map(\.address),
            errors: ad.errors, failedAdErrors: failedAdErrors,
            companions: ad.companions.compactMap(Companion.init),
            icons: ad.video.icons.compactMap(Icon.init), title: ad.title.isEmpty ? nil : ad.title,
            isWrapped: ad.wrappers > 0)
        (captions, verifications, universalIDs) = (ad.video.captions, ad.verifications, ad.universalIDs)
        let viewability = [
            (AdEventName.viewable, ad.viewability.viewable), (.notViewable, ad.viewability.notViewable),
        ]
        for (name, addresses) in viewability where !addresses.isEmpty { trackers[name] = addresses }
        for tracking in ad.video.tracking {
            if let offset = tracking.offset {
                progress.append(Progress(offset: offset.time(in: length), address: tracking.address))
            } else {
                trackers[AdEventName(tracking.event), default: []].append(tracking.address)
            }
        }
    }
}

extension AdEventName {
    /// The names of VAST's events, of which `closeLinear` is another name of `close`.
    fileprivate init(_ event: VASTEvent) {
        self.init(rawValue: event == .closeLinear ? "close" : event.rawValue)
    }
}

extension AdVideo.Media {
    fileprivate init(_ file: VASTMediaFile) {
        self.init(
            address: file.address, type: file.type, width: file.width, height: file.height,
            bitrate: file.bitrate)
    }
}

extension AdVideo.Companion {
    fileprivate init?(_ companion: VASTCompanion) {
        guard let resource = companion.resources.first else { return nil }
        self.init(
            width: companion.width, height: companion.height, content: Content(resource),
            rendering: Rendering(companion.rendering),
            clickThrough: companion.clickThrough?.address,
            clickTrackers: companion.clickTracking.map(\.address),
            views: companion.tracking.filter { $0.event == .creativeView }.map(\.address))
    }
}

extension AdVideo.Companion.Content {
    fileprivate init(_ resource: VASTResource) {
        switch resource {
        case .file(let address, _): self = .image(address)
        case .frame(let address): self = .frame(address)
        case .html(let markup): self = .html(markup)
        }
    }
}

extension AdVideo.Companion.Rendering {
    fileprivate init(_ mode: String) {
        switch mode.lowercased() {
        case "end-card": self = .endCard
        case "concurrent": self = .beside
        default: self = .anywhere
        }
    }
}

extension AdVideo.Icon {
    /// Creates an icon from its first picture; `nil` for an icon of markup or a page, which is not supported.
    fileprivate init?(_ icon: VASTIcon) {
        let images = icon.resources.compactMap { resource -> String? in
            if case .file(let address, _) = resource { address } else { nil }
        }
        guard let image = images.first else { return nil }
        self.init(
            program: icon.program.isEmpty ? nil : icon.program, width: icon.width, height: icon.height,
            x: icon.xPosition, y: icon.yPosition, image: image,
            offset: icon.offset?.time(in: .seconds(86_400)),
            duration: icon.duration, clickThrough: icon.clickThrough?.address,
            clickTrackers: icon.clickTracking.map(\.address), views: icon.views)
    }
}
