@_spi(Inlay) package import InlayWire

extension OpenRTB.BidRequest {
    /// Builds the bid request for one bidder from an ad request, its unit and the bidder's consent.
    ///
    /// The same input always gives the same bytes. The request always has `app.name` and `app.bundle`, and never
    /// `site`. Data without consent is never added, so nothing has to be removed later.
    package init(
        id: String, impressionID: String = "1", for request: AdRequest, supply: OpenRTB.Supply,
        caller: OpenRTB.Caller = .init(), consent: OpenRTB.Consent, maximumMilliseconds: Int? = nil
    ) {
        self.init()
        self.id = id
        impressions = [OpenRTB.Impression(id: impressionID, request, supply)]
        app = OpenRTB.App(request, supply)
        describeDevice(request, caller, consent)
        user = OpenRTB.User(request.ext?.consent)
        test = supply.isTest ? 1 : nil
        auctionType = supply.auctionType
        self.maximumMilliseconds = maximumMilliseconds
        currencies = [supply.currency]
        blockedCategories = supply.blockedCategories.orNil
        blockedAdvertisers = supply.blockedAdvertisers.orNil
        blockedApps = supply.blockedApps.orNil
        source = OpenRTB.Source(id: id, request, supply)
        regulations = OpenRTB.Regulations(request.ext?.consent, isGDPR: consent.isGDPR)
    }

    /// Sets the device with the data that the consent allows, which may differ between the bidders of an auction.
    package mutating func describeDevice(
        _ request: AdRequest, _ caller: OpenRTB.Caller, _ consent: OpenRTB.Consent
    ) {
        device = OpenRTB.Device(request, consent, caller)
    }

    /// Returns a copy of a template's request with the fields that an exchange for apps must send, and without those
    /// that it must not send.
    package func prepared(for request: AdRequest, supply: OpenRTB.Supply) -> Self {
        var copy = self
        (copy.site, copy.dooh) = (nil, nil)
        var app = copy.app ?? OpenRTB.App()
        (app.name, app.bundle) = supply.names(request)
        copy.app = app
        return copy
    }
}

extension OpenRTB.Impression {
    fileprivate init(id: String, _ request: AdRequest, _ supply: OpenRTB.Supply) {
        self.init()
        self.id = id
        switch supply.format {
        case .banner, .interstitial: banner = OpenRTB.Banner(supply)
        case .video, .rewarded: video = OpenRTB.Video(supply)
        }
        if !supply.deals.isEmpty {
            var market = OpenRTB.PrivateMarket()
            market.isPrivate = supply.sellsDealsOnly ? 1 : 0
            market.deals = supply.deals
            privateMarket = market
        }
        displayManager = "Inlay"
        displayManagerVersion = request.ext?.sdkVersion
        isInterstitial = supply.format == .banner ? 0 : 1
        tagID = supply.unitID
        floorMicros = supply.floorMicros
        floorCurrency = supply.currency
        clickBrowser = 1
        isSecure = 1
        isRewarded = supply.format == .rewarded ? 1 : nil
        expirySeconds = supply.expirySeconds
    }
}

extension OpenRTB.Banner {
    fileprivate init(_ supply: OpenRTB.Supply) {
        self.init()
        let sizes = ([supply.size] + supply.otherSizes).filter { !$0.isAdaptive }
        formats = sizes.map { size in
            var format = OpenRTB.Format()
            (format.width, format.height) = (Self.points(size.width), Self.points(size.height))
            return format
        }
        (width, height) = (formats.first?.width, formats.first?.height)
        blockedTypes = supply.allowsFrames ? nil : [Self.frame]
        blockedAttributes = supply.blockedAttributes.orNil
        position = supply.format == .interstitial ? 7 : 0
        mimes = ["text/html", "image/jpeg", "image/png", "image/gif", "image/webp"]
        apis = supply.allowsMRAID ? [3, 5, 6] : nil
    }

    /// The OpenRTB banner type of an iframe.
    private static let frame = 4

    fileprivate static func points(_ size: Double) -> Int { Int(min(max(size, 0), 100_000)) }
}

extension OpenRTB.Video {
    fileprivate init(_ supply: OpenRTB.Supply) {
        self.init()
        mimes = ["video/mp4", "video/webm"]
        minimumSeconds = supply.videoSeconds.lowerBound
        maximumSeconds = supply.videoSeconds.upperBound
        startDelay = 0
        // VAST 2, 3, 4.0, 4.1, 4.2 with their wrappers.
        protocols = [2, 3, 5, 6, 7, 8, 11, 12, 13, 14]
        if !supply.size.isAdaptive {
            width = OpenRTB.Banner.points(supply.size.width)
            height = OpenRTB.Banner.points(supply.size.height)
        }
        placement = 3
        linearity = 1
        isSkippable = supply.format != .rewarded && supply.skipAfterSeconds != nil ? 1 : 0
        skipAfterSeconds = isSkippable == 1 ? supply.skipAfterSeconds : nil
        blockedAttributes = supply.blockedAttributes.orNil
        playbackMethods = [1]
        deliveries = [2]
        position = 7
    }
}

extension OpenRTB.App {
    fileprivate init(_ request: AdRequest, _ supply: OpenRTB.Supply) {
        self.init()
        id = supply.appID
        (name, bundle) = supply.names(request)
        storeURL = supply.storeURL
        categories = supply.appCategories
        var publisher = supply.publisher
        publisher.id = publisher.id ?? request.pubID
        self.publisher = publisher
    }
}

extension OpenRTB.Supply {
    /// Returns the app's name and bundle from the request, or from the exchange's own records where it has none.
    fileprivate func names(_ request: AdRequest) -> (name: String, bundle: String) {
        let ids = [storeID, request.ext?.storeID, request.bundle, bundle].compactMap { $0 }
        return (
            request.appName.isEmpty ? appName : request.appName, ids.first { !$0.isEmpty } ?? ""
        )
    }
}

extension OpenRTB.Device {
    fileprivate init(_ request: AdRequest, _ consent: OpenRTB.Consent, _ caller: OpenRTB.Caller) {
        self.init()
        userAgent = request.userAgent.isEmpty ? nil : request.userAgent
        let isKnown = request.ifa.contains { $0 != "0" && $0 != "-" }
        advertisingID = isKnown && consent.allowsIDs ? request.ifa : nil
        // Without an id, tracking counts as limited.
        limitsTracking = advertisingID == nil ? 1 : 0
        geo = request.geo.flatMap { OpenRTB.Geo($0, consent) }
        hasJavaScript = 1
        let address = caller.address.map { NetworkAddress.shared($0, isExact: consent.allowsPreciseLocation) }
        (ip, ipv6) = (address?.v4, address?.v6)
        if let att = request.ext?.consent?.att { ext = .object(["atts": .integer(Int64(att))]) }
    }
}

extension OpenRTB.Geo {
    /// Creates a location; `nil` without consent for one, or when the coordinates are impossible.
    fileprivate init?(_ geo: AdGeo, _ consent: OpenRTB.Consent) {
        guard consent.allowsLocation, geo.isPlausible else { return nil }
        self.init()
        kind = 1
        if consent.allowsPreciseLocation {
            (latitude, longitude) = (geo.latitude, geo.longitude)
            accuracyMeters = Int(min(geo.precision, 20_037_508).rounded())
        } else {
            // Two decimal places are about a kilometre.
            (latitude, longitude) = (Self.coarse(geo.latitude), Self.coarse(geo.longitude))
        }
    }

    private static func coarse(_ degrees: Double) -> Double { (degrees * 100).rounded(.towardZero) / 100 }
}

extension OpenRTB.User {
    fileprivate init?(_ consent: AdConsent?) {
        guard let tcf = consent?.tcf, !tcf.isEmpty else { return nil }
        self.init()
        self.consent = tcf
    }
}

extension OpenRTB.Regulations {
    fileprivate init?(_ consent: AdConsent?, isGDPR: Bool) {
        guard let consent else { return nil }
        self.init()
        coppa = consent.coppa.map { $0 ? 1 : 0 }
        gdpr = isGDPR ? 1 : consent.gdprApplies.map { $0 ? 1 : 0 }
        gpp = consent.gpp.flatMap { $0.isEmpty ? nil : $0 }
        gppSections = consent.gppSids.flatMap { $0.isEmpty ? nil : $0 }
        if self == Self() { return nil }
    }
}

extension OpenRTB.Source {
    fileprivate init(id: String, _ request: AdRequest, _ supply: OpenRTB.Supply) {
        self.init()
        transactionID = id
        guard let domain = supply.exchangeDomain else { return }
        var node = OpenRTB.SupplyNode()
        node.domain = domain
        node.sellerID = supply.publisher.id ?? request.pubID
        node.requestID = id
        node.isPaid = 1
        var chain = OpenRTB.SupplyChain()
        (chain.isComplete, chain.nodes, chain.chainVersion) = (1, [node], "1.0")
        supplyChain = chain
    }
}

extension Array {
    fileprivate var orNil: [Element]? { isEmpty ? nil : self }
}
