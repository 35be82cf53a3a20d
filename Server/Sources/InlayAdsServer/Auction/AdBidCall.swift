import InlayOpenRTB
@_spi(Inlay) import InlayWire

/// The bid requests of one auction.
struct AdBidCall: Sendable {
    let adRequest: ResolvedAdRequest
    /// The auction's id, which becomes the impression's when a bidder wins.
    let auctionID: AdImpressionID
    let deals: [AdDeal]
    private let base: OpenRTB.BidRequest
    private let caller: OpenRTB.Caller

    /// Creates the requests; `exchangeDomain` is the exchange's own domain, for the supply chain.
    init(_ adRequest: ResolvedAdRequest, auctionID: AdImpressionID, exchangeDomain: String? = nil) {
        let inventory = adRequest.inventory
        let (unit, app, publisher) = (inventory.unit, inventory.app, inventory.publisher)
        self.adRequest = adRequest
        self.auctionID = auctionID
        deals = inventory.snapshot.deals(for: unit)
        var supply = OpenRTB.Supply(
            unitID: unit.id.rawValue, format: unit.format,
            size: AdSize(width: Double(unit.width), height: Double(unit.height)),
            floorMicros: unit.floorMicros, currency: AdMoney.currency)
        supply.publisher.id = publisher.id.rawValue
        supply.publisher.name = publisher.name
        supply.publisher.domain = app.domain.isEmpty ? nil : app.domain
        supply.appID = app.id.rawValue
        (supply.appName, supply.bundle) = (app.name, app.bundle)
        supply.storeID = app.storeID.isEmpty ? nil : app.storeID
        supply.storeURL = app.storeURL.isEmpty ? nil : app.storeURL
        supply.auctionType = unit.priceRule == .first ? 1 : 2
        supply.blockedAdvertisers = unit.blocks.badv
        supply.blockedCategories = unit.blocks.bcat
        supply.blockedApps = unit.blocks.bapp
        supply.blockedAttributes = unit.blocks.battr
        supply.allowsMRAID = unit.allowsMRAID
        supply.allowsFrames = unit.allowsFrames
        supply.skipAfterSeconds = unit.format == .video ? unit.closeTimeout / 1_000 : nil
        supply.expirySeconds = Int(unit.format.life.microseconds / 1_000_000)
        supply.exchangeDomain = exchangeDomain
        caller = OpenRTB.Caller(address: adRequest.caller.address.description)
        base = OpenRTB.BidRequest(
            id: auctionID.rawValue, for: adRequest.request, supply: supply, caller: caller,
            consent: adRequest.consent.consent(for: .vendor(nil)))
    }

    /// Returns the request for one bidder: with the data that the user's consent allows, its time, seat and deals.
    func request(for bidder: AdBidder, within time: Duration) -> OpenRTB.BidRequest {
        var request = base
        let consent = adRequest.consent.consent(for: .vendor(bidder.vendorID))
        request.describeDevice(adRequest.request, caller, consent)
        request.maximumMilliseconds = max(1, Int(time.microseconds / 1_000))
        if !bidder.seat.isEmpty { request.allowedSeats = [bidder.seat] }
        let own = deals.filter { $0.bidderIDs.isEmpty || $0.bidderIDs.contains(bidder.id) }
        guard !deals.isEmpty, !request.impressions.isEmpty else { return request }
        var market = OpenRTB.PrivateMarket()
        // A private deal closes the open auction, also for bidders that have no deal.
        market.isPrivate = deals.contains(where: \.isPrivate) ? 1 : 0
        market.deals = own.map(\.openRTB)
        request.impressions[0].privateMarket = market
        return request
    }
}

extension AdDeal {
    fileprivate var openRTB: OpenRTB.Deal {
        var deal = OpenRTB.Deal()
        deal.id = id.rawValue
        deal.floorMicros = floorMicros
        deal.floorCurrency = AdMoney.currency
        deal.auctionType =
            switch price {
            case .first: 1
            case .second: 2
            case .fixed: 3
            }
        return deal
    }
}
