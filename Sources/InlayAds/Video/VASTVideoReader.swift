import InlayCore
@_spi(Inlay) import InlayWire

/// Makes videos of VAST for placements: follows wrappers, then chooses a file.
struct VASTVideoReader: AdVideoReader {
    private let resolver: VASTResolver
    private let choice: MediaChoice

    /// A reader. The transport goes through the session's gate and carries no token.
    init(
        transport: any Transport, clock: any SessionClock, userAgent: String? = nil,
        rules: VASTResolver.Rules = .init(), choice: MediaChoice = MediaChoice()
    ) {
        resolver = VASTResolver(transport: transport, clock: clock, rules: rules, userAgent: userAgent)
        self.choice = choice
    }

    func video(from markup: String) async throws(AdVideoFailure) -> AdVideo {
        // A place plays one video: ads behind the first that plays here are not asked for.
        let found = await resolver.resolve(markup) { [choice] ad in
            !choice.ranked(ad.video.mediaFiles).isEmpty
        }
        var missed = found.failures.flatMap(\.calls)
        for ad in found.ads {
            if var video = AdVideo(ad, choice, missed: missed) {
                (video.upgrades, video.upgradeCount) = (found.upgrades, found.upgradeCount)
                return video
            }
            // The ad is there, but nothing of it plays here.
            let failure = VASTFailure(code: .noPlayableFile, detail: Self.noFile, errors: ad.errors)
            missed += failure.calls
        }
        let first = found.failures.first
        let code = found.ads.isEmpty ? first?.code ?? .undefined : .noPlayableFile
        throw AdVideoFailure(
            code: code.rawValue, reason: found.ads.isEmpty ? first?.detail ?? "no ad" : Self.noFile,
            errors: missed)
    }

    private static let noFile = "no media file that can be played here"
}

extension AdVideo {
    /// The video of an ad with the file that fits best; `nil` when none can be played.
    init?(_ ad: VASTPlayable, _ choice: MediaChoice, missed: [String] = []) {
        let files = choice.ranked(ad.video.mediaFiles)
        guard let file = files.first else { return nil }
        let length = ad.video.duration ?? .zero
        self.init(
            media: Media(file), alternatives: files.dropFirst().map(Media.init), duration: ad.video.duration,
            skipOffset: ad.video.skipOffset?.time(in: length), clickThrough: ad.video.clickThrough?.address,
            impressions: ad.impressions, clickTrackers: ad.video.clickTracking.map(\.address),
            errors: ad.errors, missed: missed, companions: ad.companions.compactMap(Companion.init),
            icons: ad.video.icons.compactMap(Icon.init), title: ad.title.isEmpty ? nil : ad.title,
            isWrapped: ad.wrappers > 0)
        (captions, verifications, universalIDs) = (ad.video.captions, ad.verifications, ad.universalIDs)
        let sight = [
            (AdEventName.viewable, ad.viewability.viewable), (.notViewable, ad.viewability.notViewable),
        ]
        for (name, addresses) in sight where !addresses.isEmpty { trackers[name] = addresses }
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
    /// Video events have the same names; closing has two in VAST.
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
    /// Pictures alone: a mark over a video has no need of markup of its own.
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
