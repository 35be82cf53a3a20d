import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A place for ads in an app: its format, its price floor and what may not be shown there.
package struct AdUnit: AdRecord {
    package static let table = AdRecordTable.units

    /// The kind of ad that the unit shows.
    package typealias Format = AdFormat

    /// The price that the winner pays.
    package enum PriceRule: String, Codable, Sendable, CaseIterable {
        /// The price that it bid.
        case first
        /// The price of the next bid, or the floor.
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

        /// The cap of a unit that says none.
        package static let standardMaximumPerDay = 20

        /// A reward and where it is confirmed.
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

        // Units that were made before there was a cap get the standard one, and need a user.
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

        /// Nothing is blocked unless said.
        package init(bcat: [String] = [], badv: [String] = [], bapp: [String] = [], battr: [Int] = []) {
            (self.bcat, self.badv, self.bapp, self.battr) = (bcat, badv, bapp, battr)
        }
    }

    /// The id of the unit, which the app sends as `unitID` in its requests.
    package let id: AdUnitID
    /// The app.
    package let parentID: AdAppID
    package var name: String
    package var format: Format
    /// Points; 0 in either adapts to the place.
    package var width: Int
    package var height: Int
    /// The least price for a thousand impressions, in micros.
    package var floorMicros: Int64
    /// Milliseconds until the close button.
    package var closeTimeout: Int
    /// Milliseconds after which the close button comes whatever the creative does.
    package var lockLimit: Int
    /// Seconds until a banner asks again; 0 never.
    package var refresh: Int
    package var priceRule: PriceRule
    package var blocks: Blocks
    /// Whether creatives may use MRAID.
    package var allowsMRAID: Bool
    /// Whether creatives may show frames of other sites, which are outside of the limits on connections, processor and
    /// memory. Off unless it is switched on.
    package var allowsFrames: Bool {
        get { frames ?? false }
        set { frames = newValue }
    }
    // Units that were made before there was this setting say nothing.
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
