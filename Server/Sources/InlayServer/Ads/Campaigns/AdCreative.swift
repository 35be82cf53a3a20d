import InlayWire

/// What a campaign shows: HTML or VAST, as it is handed to the app.
package struct AdCreative: AdRecord {
    package static let table = AdRecordTable.creatives
    /// The most that a creative may hold: 256 KiB.
    package static let mostBytes = 256 << 10

    /// Its language.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A banner or interstitial.
        case html
        /// A video.
        case vast
    }

    package let id: String
    /// The campaign.
    package let parentID: String
    package var name: String
    package var kind: Kind
    package var markup: String
    /// Where a click leads; stands for `${CLICK_URL}` in the markup.
    package var clickURL: String
    /// Points; 0 in either adapts to the place.
    package var width: Int
    package var height: Int
    /// Whom it advertises.
    package var advertiserDomain: String
    /// What it is about, in IAB categories.
    package var categories: [String]
    /// Uses MRAID; not shown where the unit does not allow it.
    package var usesMRAID: Bool
    package var isEnabled: Bool

    /// A creative of a campaign.
    package init(
        id: String = AdRecordID.make(), campaignID: String, name: String, kind: Kind = .html, markup: String,
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
        guard (1...Self.mostBytes).contains(markup.utf8.count), !markup.utf8.contains(0) else {
            throw FieldErrors("markup", "1 to \(Self.mostBytes) bytes.")
        }
        if kind == .vast, !markup.prefix(2_000).contains("<VAST") {
            throw FieldErrors("markup", "VAST begins with <VAST version=…>.")
        }
        creative.clickURL = try AdText.link(clickURL, "clickURL")
        try AdText.number(width, "width", 0...4_096)
        try AdText.number(height, "height", 0...4_096)
        creative.advertiserDomain = try AdText.domain(advertiserDomain, "advertiserDomain")
        creative.categories = try AdText.list(categories, "categories", most: 50)
        return creative
    }

    /// The markup as it is handed out.
    package var finished: String {
        guard markup.contains("${CLICK_URL}") else { return markup }
        return markup.replacing("${CLICK_URL}", with: PageText.escaped(clickURL))
    }

    /// Whether it may be shown at a unit: its language, its size, what the unit blocks.
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
