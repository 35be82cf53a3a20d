import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A placement for ads in an app: its format, its floor price and the ads that it blocks.
package struct AdUnit: AdRecord {
    package static let table = AdRecordTable.units

    /// The kind of ad that the unit shows.
    package typealias Format = AdFormat

    /// The price that the winner pays.
    package enum PriceRule: String, Codable, Sendable, CaseIterable {
        /// The winner's bid.
        case first
        /// The price of the next bid, or the floor if it is higher.
        case second
    }

    /// The reward that the user earns.
    package struct Reward: Codable, Hashable, Sendable {
        /// The amount, at least 1.
        package var amount: Int
        /// The reward item, for example `coins`.
        package var currency: String
        /// The URL for server-side verification; empty for none.
        package var callbackURL: String
        /// The number of rewards that a user gets in one day (UTC). Default ``standardMaximumPerDay``.
        package var maximumPerDay: Int
        /// Whether a reward needs a user's token. Default true: a caller can forge everything else.
        package var needsUser: Bool

        /// The default of ``maximumPerDay``.
        package static let standardMaximumPerDay = 20

        /// Creates a reward; by default without server-side verification.
        package init(
            amount: Int, currency: String, callbackURL: String = "",
            maximumPerDay: Int = standardMaximumPerDay, needsUser: Bool = true
        ) {
            self.amount = amount
            self.currency = currency
            self.callbackURL = callbackURL
            self.maximumPerDay = maximumPerDay
            self.needsUser = needsUser
        }

        // Units that were stored before there was a cap get the default one, and need a user.
        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                amount: try values.decode(Int.self, forKey: .amount),
                currency: try values.decode(String.self, forKey: .currency),
                callbackURL: try values.decode(String.self, forKey: .callbackURL),
                maximumPerDay: try values.decodeIfPresent(Int.self, forKey: .maximumPerDay)
                    ?? Self.standardMaximumPerDay,
                needsUser: try values.decodeIfPresent(Bool.self, forKey: .needsUser) ?? true)
        }
    }

    /// The ads that bidders may not show here, in OpenRTB's terms.
    package struct Blocks: Codable, Hashable, Sendable {
        /// Content categories.
        package var bcat: [String] = []
        /// Advertiser domains.
        package var badv: [String] = []
        /// Advertised apps.
        package var bapp: [String] = []
        /// Creative attributes.
        package var battr: [Int] = []

        /// Creates blocks; by default nothing is blocked.
        package init(bcat: [String] = [], badv: [String] = [], bapp: [String] = [], battr: [Int] = []) {
            (self.bcat, self.badv, self.bapp, self.battr) = (bcat, badv, bapp, battr)
        }
    }

    /// The id of the unit, which the app sends as `unitID` in its requests.
    package let id: AdUnitID
    /// The id of the app.
    package let parentID: AdAppID
    package var name: String
    package var format: Format
    /// The size in points. With 0 in `width` or `height` the ad adapts to its view.
    package var width: Int
    package var height: Int
    /// The minimum price for a thousand impressions, in micros.
    package var floorMicros: Int64
    /// The delay of the close button, in milliseconds.
    package var closeTimeout: Int
    /// The maximum delay of the close button, in milliseconds, whatever the creative does.
    package var lockLimit: Int
    /// The seconds until a banner requests another ad; 0 for never.
    package var refresh: Int
    package var priceRule: PriceRule
    package var blocks: Blocks
    /// Whether creatives may use MRAID.
    package var allowsMRAID: Bool
    /// Whether creatives may show frames of other sites, which are outside of the limits on connections, processor and
    /// memory. Default false.
    package var allowsFrames: Bool {
        get { frames ?? false }
        set { frames = newValue }
    }
    // Optional, because units that were stored before there was this setting do not have it.
    private var frames: Bool?
    package var reward: Reward?
    package var isEnabled: Bool

    /// A unit of an app.
    package init(
        id: AdUnitID = .make(), appID: AdAppID, name: String, format: Format, width: Int = 0,
        height: Int = 0, floorMicros: Int64 = 0, closeTimeout: Int = 0, lockLimit: Int = 30_000,
        refresh: Int = 0, priceRule: PriceRule = .first, blocks: Blocks = Blocks(), allowsMRAID: Bool = true,
        allowsFrames: Bool = false, reward: Reward? = nil, isEnabled: Bool = true
    ) {
        self.id = id
        parentID = appID
        self.name = name
        self.format = format
        (self.width, self.height) = (width, height)
        self.floorMicros = floorMicros
        (self.closeTimeout, self.lockLimit, self.refresh) = (closeTimeout, lockLimit, refresh)
        self.priceRule = priceRule
        self.blocks = blocks
        self.allowsMRAID = allowsMRAID
        frames = allowsFrames
        self.reward = reward
        self.isEnabled = isEnabled
    }
}

extension AdFormat {
    /// Whether the creative is VAST.
    package var isVideo: Bool { self == .video || self == .rewarded }
    /// The time that a loaded ad may wait to be shown.
    package var life: Duration { self == .banner ? .seconds(300) : .seconds(1_800) }
}
