public import InlayWire
import Foundation

/// An ad that can be played, with what all wrappers in front of it want to hear.
public struct VASTPlayable: Hashable, Sendable {
    /// The ad server's id.
    public var id: String?
    /// The place in a pod; `nil` when it stands alone.
    public var sequence: Int?
    /// The ad server.
    public var system: String
    /// The name for people.
    public var title: String
    /// What is called when it is shown, all at the same moment, the outermost wrapper's first.
    public var impressions: [String]
    /// What is called when it cannot be shown, with `[ERRORCODE]` in it.
    public var errors: [String]
    /// What is called once it is known whether it could be seen.
    public var viewability: VASTViewability
    /// Code that measures whether it is seen, the outermost wrapper's first.
    public var verifications: [VASTVerification]
    /// The ad's ids, each in the registry that gives it out.
    public var universalIDs: [VASTUniversalID]
    /// The video with the trackers of everybody.
    public var video: VASTLinear
    /// Banners beside or after it.
    public var companions: [VASTCompanion]
    /// How many wrappers were followed.
    public var wrappers: Int

    /// The ad behind wrappers, the outermost first; `nil` when it has no video.
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

    // Of one programme the icon nearest to the ad counts.
    private static func icons(_ own: [VASTIcon], _ outer: [VASTLinear]) -> [VASTIcon] {
        var icons = own
        for icon in outer.reversed().flatMap(\.icons)
        where icon.program.isEmpty || !icons.contains(where: { $0.program == icon.program }) {
            icons.append(icon)
        }
        return icons
    }
}

/// What became of a VAST document.
public struct VASTResolution: Hashable, Sendable {
    /// The ads to be played, in this order: a pod in its sequence, or one ad.
    public var ads: [VASTPlayable] = []
    /// What could not be used. Each one's addresses are to be called.
    public var failures: [VASTFailure] = []
    /// The addresses that came with http and are fetched with https; at most 50 of each document.
    public var upgrades: [VASTUpgrade] = []
    /// How many addresses came with http and are fetched with https.
    public var upgradeCount = 0
}

/// An ad that could not be used.
public struct VASTFailure: Hashable, Sendable {
    /// What the ad servers are told.
    public var code: VASTErrorCode
    /// Why, for the log.
    public var detail: String
    /// Where the code goes: the wrappers' addresses and the ad's own, with `[ERRORCODE]` in them.
    public var errors: [String]

    /// The addresses with the code in them; other macros are left to whoever calls.
    public var calls: [String] {
        errors.map { $0.replacingOccurrences(of: "[ERRORCODE]", with: String(code.rawValue)) }
    }
}
