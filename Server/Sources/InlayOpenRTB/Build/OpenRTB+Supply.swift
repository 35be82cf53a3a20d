@_spi(Inlay) package import InlayWire

extension OpenRTB {
    /// The exchange's records for an ad request: its publisher, app and unit.
    package struct Supply: Hashable, Sendable {
        /// The publisher.
        package var publisher = Publisher()
        /// The app's id with the exchange.
        package var appID: String?
        /// The app's name, used when the request has none.
        package var appName = ""
        /// The app's bundle id, used when the request has none.
        package var bundle = ""
        /// The app's id in its store, by which bidders know apps on iOS. `nil` sends the bundle id.
        package var storeID: String?
        /// The app's page in its store.
        package var storeURL: String?
        /// The app's content categories.
        package var appCategories: [String]?
        /// The unit's id, `imp.tagid`.
        package var unitID: String
        /// The format of the unit's ads.
        package var format: AdFormat
        /// The unit's size in points; zero is adaptive.
        package var size: AdSize
        /// Additional sizes.
        package var otherSizes: [AdSize] = []
        /// The floor price per thousand impressions, in millionths.
        package var floorMicros: Int64
        /// The currency of floors and bids.
        package var currency: String
        /// 1 for first price, 2 for second price.
        package var auctionType = 1
        /// Deals for this unit.
        package var deals: [Deal] = []
        /// Whether only bids with a deal are accepted.
        package var sellsDealsOnly = false
        /// The blocked advertiser domains.
        package var blockedAdvertisers: [String] = []
        /// The blocked content categories.
        package var blockedCategories: [String] = []
        /// The blocked advertised apps.
        package var blockedApps: [String] = []
        /// The blocked creative attributes.
        package var blockedAttributes: [Int] = []
        /// Whether creatives may use MRAID.
        package var allowsMRAID = true
        /// Whether creatives may show frames of other sites.
        package var allowsFrames = false
        /// The allowed duration of a video, in seconds.
        package var videoSeconds: ClosedRange<Int> = 3...60
        /// The time after which a video can be skipped; `nil` when it cannot.
        package var skipAfterSeconds: Int?
        /// The maximum time between auction and impression, `imp.exp`.
        package var expirySeconds: Int?
        /// The exchange's domain, for the supply chain; `nil` sends none.
        package var exchangeDomain: String?
        /// Whether the request is a test, which is not billed.
        package var isTest = false

        /// Creates the supply of a unit, with the defaults of all other values.
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

    /// The sender of an ad request, as the server saw it.
    package struct Caller: Hashable, Sendable {
        /// The IP address of the socket, or the one that a trusted proxy sent; `nil` when it is unknown.
        package var address: String?

        package init(address: String? = nil) { self.address = address }
    }
}
