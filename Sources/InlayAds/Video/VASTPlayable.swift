@_spi(Inlay) package import InlayWire

/// An ad that can be played, with the trackers of all wrappers in front of it.
package struct VASTPlayable: Hashable, Sendable {
    /// The ad server's id.
    package var id: String?
    /// The position in a pod; `nil` for a stand-alone ad.
    package var sequence: Int?
    /// The ad server.
    package var system: String
    /// The ad's title, for people.
    package var title: String
    /// The addresses to request at the impression, all at the same moment, the outermost wrapper's first.
    package var impressions: [String]
    /// The addresses to request when the ad cannot be shown, with the macro `[ERRORCODE]`.
    package var errors: [String]
    /// The addresses to request once viewability is known.
    package var viewability: VASTViewability
    /// The scripts that measure viewability, the outermost wrapper's first.
    package var verifications: [VASTVerification]
    /// The ad's ids, each with its registry.
    package var universalIDs: [VASTUniversalID]
    /// The video, with the trackers of all wrappers.
    package var video: VASTLinear
    /// The banners beside or after the video: the ad's, or without any, those of the nearest wrapper that has some.
    package var companions: [VASTCompanion]
    /// The number of wrappers that were followed.
    package var wrappers: Int

    /// Merges an ad with its wrappers, the outermost first; `nil` when the ad has no video.
    init?(_ ad: VASTAd, behind wrappers: [VASTAd]) {
        guard var video = ad.linear else { return nil }
        let outer = wrappers.compactMap(\.linear)
        video.tracking = outer.flatMap(\.tracking) + video.tracking
        video.clickTracking = outer.flatMap(\.clickTracking) + video.clickTracking
        video.customClicks = outer.flatMap(\.customClicks) + video.customClicks
        video.clickThrough = video.clickThrough ?? outer.reversed().lazy.compactMap(\.clickThrough).first
        video.icons = Self.icons(video.icons, outer)
        id = ad.id
        sequence = wrappers.first?.sequence ?? ad.sequence
        system = ad.system
        title = ad.title
        let chain = wrappers + [ad]
        impressions = chain.flatMap { $0.impressions.map(\.address) }
        errors = chain.flatMap(\.errors)
        verifications = chain.flatMap(\.verifications)
        universalIDs = ad.creatives.flatMap(\.universalIDs)
        viewability = VASTViewability()
        for each in chain {
            viewability.viewable += each.viewability.viewable
            viewability.notViewable += each.viewability.notViewable
            viewability.undetermined += each.viewability.undetermined
        }
        self.video = video
        companions =
            ad.companions.isEmpty
            ? wrappers.reversed().lazy.map(\.companions).first { !$0.isEmpty } ?? [] : ad.companions
        self.wrappers = wrappers.count
    }

    // When several icons have the same programme, the icon nearest to the ad is used.
    private static func icons(_ own: [VASTIcon], _ outer: [VASTLinear]) -> [VASTIcon] {
        var icons = own
        for icon in outer.reversed().flatMap(\.icons)
        where icon.program.isEmpty || !icons.contains(where: { $0.program == icon.program }) {
            icons.append(icon)
        }
        return icons
    }
}

/// The outcome of resolving a VAST document.
package struct VASTResolution: Hashable, Sendable {
    /// The ads to be played, in this order: a pod in its sequence, or one ad.
    package var ads: [VASTPlayable] = []
    /// The ads that could not be used. The error addresses of each are to be requested.
    package var failures: [VASTFailure] = []
    /// The addresses that came with http and are requested with https; at most 50 of each document.
    package var upgrades: [VASTUpgrade] = []
    /// The number of all such addresses, without that limit.
    package var upgradeCount = 0
}

/// An ad that could not be used.
package struct VASTFailure: Hashable, Sendable {
    /// The error code for the ad servers.
    package var code: VASTErrorCode
    /// The reason, for the log.
    package var detail: String
    /// The addresses to send the code to: the wrappers' and the ad's own, with the macro `[ERRORCODE]`.
    package var errors: [String]

    /// The addresses with the code in them; the caller fills the other macros.
    package var calls: [String] {
        errors.map { address in
            VASTMacros.filled(address) { $0 == "ERRORCODE" ? String(code.rawValue) : nil }
        }
    }
}
