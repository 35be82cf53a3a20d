import InlayWire

extension OpenRTB {
    /// What the exchange knows about a place beyond the request: its publisher, app and unit.
    package struct Supply: Hashable, Sendable {
        /// Who sells.
        package var publisher = Publisher()
        /// The app's id with the exchange.
        package var appID: String?
        /// The app's name, where the request has none.
        package var appName = ""
        /// The app's technical name, where the request has none.
        package var bundle = ""
        /// The app's number in its store; bidders on iOS know apps by it. `nil` sends the technical name.
        package var storeID: String?
        /// The app's page in its store.
        package var storeURL: String?
        /// What the app is about.
        package var appCategories: [String]?
        /// The unit's id, `imp.tagid`.
        package var unitID: String
        /// What it shows.
        package var format: AdFormat
        /// Its size in points; zero is adaptive.
        package var size: AdSize
        /// Further sizes that fit.
        package var otherSizes: [AdSize] = []
        /// The least price per thousand, in millionths.
        package var floorMicros: Int64
        /// Of floors and bids.
        package var currency: String
        /// 1 first price, 2 second price.
        package var auctionType = 1
        /// Deals for this unit.
        package var deals: [Deal] = []
        /// Whether only deals are sold.
        package var sellsDealsOnly = false
        /// Domains of advertisers that are not wanted.
        package var blockedAdvertisers: [String] = []
        /// Categories that are not wanted.
        package var blockedCategories: [String] = []
        /// Apps that may not be advertised.
        package var blockedApps: [String] = []
        /// Attributes of creatives that are not wanted.
        package var blockedAttributes: [Int] = []
        /// Whether creatives may use MRAID.
        package var allowsMRAID = true
        /// The shortest and longest video, in seconds.
        package var videoSeconds: ClosedRange<Int> = 3...60
        /// From then on a video can be skipped; `nil` when it cannot.
        package var skipAfterSeconds: Int?
        /// How long an ad may wait for its impression, `imp.exp`.
        package var expirySeconds: Int?
        /// The exchange's domain, for the supply chain; `nil` sends none.
        package var exchangeDomain: String?
        /// Whether nothing is billed.
        package var isTest = false

        /// A unit with what every unit has.
        package init(
            unitID: String, format: AdFormat, size: AdSize = .adaptive, floorMicros: Int64 = 0,
            currency: String = "USD"
        ) {
            self.unitID = unitID
            self.format = format
            self.size = size
            self.floorMicros = floorMicros
            self.currency = currency
        }
    }

    /// Where a request came from, as the server saw it.
    package struct Caller: Hashable, Sendable {
        /// The address of the socket, or what a trusted proxy told; `nil` when it is not known.
        package var address: String?

        /// A caller.
        package init(address: String? = nil) { self.address = address }
    }
}
