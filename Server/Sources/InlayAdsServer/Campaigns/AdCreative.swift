import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The markup of an ad of a campaign, HTML or VAST, with its size and its advertiser.
package struct AdCreative: AdRecord {
    package static let table = AdRecordTable.creatives
    /// The maximum size of the markup: 256 KiB.
    package static let maximumBytes = 256 << 10

    /// The language of the markup.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A banner or interstitial.
        case html
        /// A video.
        case vast
    }

    package let id: AdCreativeID
    /// The campaign.
    package let parentID: AdCampaignID
    package var name: String
    package var kind: Kind
    package var markup: String
    /// The landing page of a click; replaces `${CLICK_URL}` in the markup.
    package var clickURL: String
    /// The size in points. With 0 in `width` or `height` the creative fits banners of all sizes.
    package var width: Int
    package var height: Int
    /// The domain of the advertiser.
    package var advertiserDomain: String
    /// The subjects of the ad, as IAB categories.
    package var categories: [String]
    /// Whether the markup uses MRAID; it is not shown where the unit does not allow MRAID.
    package var usesMRAID: Bool
    package var isEnabled: Bool

    /// A creative of a campaign.
    package init(
        id: AdCreativeID = .make(), campaignID: AdCampaignID, name: String, kind: Kind = .html,
        markup: String,
        clickURL: String = "", width: Int = 0, height: Int = 0, advertiserDomain: String = "",
        categories: [String] = [],
        usesMRAID: Bool = false, isEnabled: Bool = true
    ) {
        self.id = id
        parentID = campaignID
        self.name = name
        (self.kind, self.markup, self.clickURL) = (kind, markup, clickURL)
        (self.width, self.height) = (width, height)
        self.advertiserDomain = advertiserDomain
        self.categories = categories
        self.usesMRAID = usesMRAID
        self.isEnabled = isEnabled
    }

    package func checked() throws -> Self {
        var creative = self
        creative.name = try AdText.name(name)
        guard (1...Self.maximumBytes).contains(markup.utf8.count), !markup.utf8.contains(0) else {
            throw FieldErrors("markup", "1 to \(Self.maximumBytes) bytes.")
        }
        if kind == .vast, !markup.prefix(2_000).contains("<VAST") {
            throw FieldErrors("markup", "VAST begins with <VAST version=…>.")
        }
        creative.clickURL = try AdText.link(clickURL, "clickURL")
        try AdText.number(width, "width", 0...4_096)
        try AdText.number(height, "height", 0...4_096)
        creative.advertiserDomain = try AdText.domain(advertiserDomain, "advertiserDomain")
        creative.categories = try AdText.list(categories, "categories", maximum: 50)
        return creative
    }

    /// The markup with the landing page in the place of `${CLICK_URL}`, as apps get it.
    package var servedMarkup: String {
        guard markup.contains("${CLICK_URL}") else { return markup }
        return markup.replacing("${CLICK_URL}", with: HTMLText.escaped(clickURL))
    }

    /// Whether the creative may be shown at a unit. Depends on its language, MRAID, its size, and the
    /// categories and domains that the unit blocks.
    package func fits(_ unit: AdUnit) -> Bool {
        guard isEnabled, (kind == .vast) == unit.format.isVideo else { return false }
        guard unit.allowsMRAID || !usesMRAID else { return false }
        guard unit.format != .banner || hasSize(of: unit) else { return false }
        guard unit.blocks.bcat.allSatisfy({ !categories.contains($0) }) else { return false }
        return !unit.blocks.badv.contains { DomainRule($0).covers(advertiserDomain) }
    }

    private func hasSize(of unit: AdUnit) -> Bool {
        guard unit.width > 0, unit.height > 0, width > 0, height > 0 else { return true }
        return width == unit.width && height == unit.height
    }
}

/// The id of an ``AdCreative``; unique within an environment.
package struct AdCreativeID: AdUUID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
