@_spi(Inlay) import InlayWire

extension OpenRTB {
    /// A check of a bid request against OpenRTB 2.6 and the rules of an exchange for apps.
    ///
    /// The exchange builds only requests that pass. The simulated bidder and the tests use the check.
    package struct RequestCheck {
        private var faults: [Fault] = []

        private init() {}

        /// Returns all errors of a request; empty when it is valid.
        package static func faults(_ request: BidRequest) -> [Fault] {
            var check = RequestCheck()
            check.request(request)
            return check.faults
        }

        /// Returns all errors of a parsed request, including the fields that could not be read.
        package static func faults(_ document: RTBDocument<BidRequest>) -> [Fault] {
            document.faults + faults(document.object)
        }

        private mutating func request(_ request: BidRequest) {
            require(request.id, "id")
            if request.impressions.isEmpty { fault("imp", .missing, "at least one") }
            unique(request.impressions.map(\.id), "imp", "id")
            for (index, impression) in request.impressions.enumerated() {
                self.impression(impression, "imp[\(index)]")
            }
            channel(request)
            one(of: 1...3, request.auctionType, "at")
            flag(request.test, "test")
            flag(request.allImpressions, "allimps")
            positive(request.maximumMilliseconds, "tmax")
            exclude(request.allowedSeats, request.blockedSeats, "wseat", "bseat")
            exclude(request.allowedCategories, request.blockedCategories, "acat", "bcat")
            exclude(request.languages, request.languageTags, "wlang", "wlangb")
            for (index, currency) in (request.currencies ?? []).enumerated() {
                self.currency(currency, "cur[\(index)]")
            }
            if let device = request.device { self.device(device) }
            if let user = request.user { self.user(user) }
            if let regulations = request.regulations { self.regulations(regulations) }
            if let chain = request.source?.supplyChain { self.chain(chain) }
        }

        private mutating func channel(_ request: BidRequest) {
            if request.site != nil { fault("site", .notAllowed, "this exchange sells places in apps") }
            if request.dooh != nil { fault("dooh", .notAllowed, "this exchange sells places in apps") }
            if request.app != nil, request.site != nil || request.dooh != nil {
                fault("app", .conflict, "exactly one of app, site and dooh")
            }
            guard let app = request.app else { return fault("app", .missing) }
            require(app.name, "app.name")
            require(app.bundle, "app.bundle")
            exclude(app.keywords.map { [$0] }, app.keywordList, "app.keywords", "app.kwarray")
            if let address = app.storeURL { self.address(address, "app.storeurl") }
        }

        private mutating func impression(_ impression: Impression, _ path: String) {
            require(impression.id, "\(path).id")
            let kinds = [
                impression.banner != nil, impression.video != nil, impression.audio != nil,
                impression.native != nil,
            ]
            if !kinds.contains(true) { fault(path, .missing, "one of banner, video, audio and native") }
            money(impression.floorMicros, "\(path).bidfloor")
            currency(impression.floorCurrency, "\(path).bidfloorcur")
            for (value, name) in [
                (impression.isInterstitial, "instl"), (impression.clickBrowser, "clickbrowser"),
                (impression.isSecure, "secure"), (impression.isRewarded, "rwdd"),
            ] { flag(value, "\(path).\(name)") }
            positive(impression.expirySeconds, "\(path).exp")
            one(of: 0...3, impression.stitching, "\(path).ssai")
            if let banner = impression.banner { self.banner(banner, "\(path).banner") }
            if let video = impression.video { self.video(video, "\(path).video") }
            if let market = impression.privateMarket { self.market(market, "\(path).pmp") }
        }

        private mutating func banner(_ banner: Banner, _ path: String) {
            positive(banner.width, "\(path).w")
            positive(banner.height, "\(path).h")
            if (banner.width == nil) != (banner.height == nil) {
                fault(path, .conflict, "w and h must be given together or not at all")
            }
            for (index, format) in banner.formats.enumerated() {
                self.format(format, "\(path).format[\(index)]")
            }
            one(of: 0...7, banner.position, "\(path).pos")
            each(banner.expandDirections, 1...6, "\(path).expdir")
            each(banner.blockedTypes, 1...4, "\(path).btype")
            each(banner.blockedAttributes, 1...1000, "\(path).battr")
            each(banner.apis, 1...1000, "\(path).api")
        }

        private mutating func format(_ format: Format, _ path: String) {
            let hasSize = format.width != nil && format.height != nil
            let ratio = [format.widthRatio, format.heightRatio, format.minimumWidth]
            let hasRatio = ratio.allSatisfy { $0 != nil }
            let hasAnySize = format.width != nil || format.height != nil
            let hasAnyRatio = ratio.contains { $0 != nil }
            if hasAnySize, hasAnyRatio { fault(path, .conflict, "a size or a ratio") }
            if !hasSize, !hasRatio { fault(path, .missing, "w and h, or wratio, hratio and wmin") }
            for (value, name) in [(format.width, "w"), (format.height, "h")] {
                positive(value, "\(path).\(name)")
            }
        }

        private mutating func video(_ video: Video, _ path: String) {
            if (video.mimes ?? []).isEmpty { fault("\(path).mimes", .missing, "at least one") }
            for (value, name) in [
                (video.minimumSeconds, "minduration"), (video.maximumSeconds, "maxduration"),
                (video.width, "w"), (video.height, "h"), (video.maximumAds, "maxseq"),
                (video.podSeconds, "poddur"),
            ] { notNegative(value, "\(path).\(name)") }
            if let minimum = video.minimumSeconds, let maximum = video.maximumSeconds, minimum > maximum {
                fault("\(path).minduration", .conflict, "not above maxduration")
            }
            if video.exactSeconds != nil, video.minimumSeconds != nil || video.maximumSeconds != nil {
                fault("\(path).rqddurs", .conflict, "not together with minduration or maxduration")
            }
            one(of: 1...2, video.linearity, "\(path).linearity")
            flag(video.isSkippable, "\(path).skip")
            flag(video.isBoxingAllowed, "\(path).boxingallowed")
            notNegative(video.skipAfterSeconds, "\(path).skipafter")
            notNegative(video.skipMinimumSeconds, "\(path).skipmin")
            one(of: 1...4, video.placement, "\(path).plcmt")
            one(of: 1...5, video.oldPlacement, "\(path).placement")
            each(video.protocols, 1...1000, "\(path).protocols")
            each(video.playbackMethods, 1...7, "\(path).playbackmethod")
            each(video.deliveries, 1...3, "\(path).delivery")
            money(video.floorPerSecondMicros, "\(path).mincpmpersec")
            for (index, banner) in video.companions.enumerated() {
                self.banner(banner, "\(path).companionad[\(index)]")
            }
        }

        private mutating func market(_ market: PrivateMarket, _ path: String) {
            flag(market.isPrivate, "\(path).private_auction")
            unique(market.deals.map(\.id), "\(path).deals", "id")
            for (index, deal) in market.deals.enumerated() {
                let path = "\(path).deals[\(index)]"
                require(deal.id, "\(path).id")
                money(deal.floorMicros, "\(path).bidfloor")
                currency(deal.floorCurrency, "\(path).bidfloorcur")
                one(of: 1...3, deal.auctionType, "\(path).at")
                flag(deal.isGuaranteed, "\(path).guar")
            }
        }

        private mutating func device(_ device: Device) {
            flag(device.limitsTracking, "device.lmt")
            flag(device.doNotTrack, "device.dnt")
            flag(device.hasJavaScript, "device.js")
            if let id = device.advertisingID {
                if !id.contains(where: { $0 != "0" && $0 != "-" }) {
                    fault("device.ifa", .missing, "an id that is none is left out")
                } else if device.limitsTracking == 1 {
                    fault("device.ifa", .conflict, "no id with lmt 1")
                }
            }
            for (value, name) in [
                (device.hardwareSHA1, "didsha1"), (device.hardwareMD5, "didmd5"),
                (device.platformSHA1, "dpidsha1"), (device.platformMD5, "dpidmd5"),
                (device.macSHA1, "macsha1"),
                (device.macMD5, "macmd5"),
            ] where value != nil { fault("device.\(name)", .notAllowed, "no hardware ids") }
            if let geo = device.geo { self.geo(geo, "device.geo") }
        }

        private mutating func user(_ user: User) {
            if let year = user.birthYear, !(1900...2100).contains(year) { fault("user.yob", .outOfRange) }
            exclude(user.keywords.map { [$0] }, user.keywordList, "user.keywords", "user.kwarray")
            if let geo = user.geo { self.geo(geo, "user.geo") }
        }

        private mutating func geo(_ geo: Geo, _ path: String) {
            if (geo.latitude == nil) != (geo.longitude == nil) {
                fault(path, .conflict, "lat and lon must be given together or not at all")
            }
            if let latitude = geo.latitude, !(-90...90).contains(latitude) {
                fault("\(path).lat", .outOfRange)
            }
            if let longitude = geo.longitude, !(-180...180).contains(longitude) {
                fault("\(path).lon", .outOfRange)
            }
            one(of: 1...3, geo.kind, "\(path).type")
            notNegative(geo.accuracyMeters, "\(path).accuracy")
            notNegative(geo.ageSeconds, "\(path).lastfix")
            if let country = geo.country, country.utf8.count != 3 {
                fault("\(path).country", .outOfRange, "three letters")
            }
        }

        private mutating func regulations(_ regulations: Regulations) {
            flag(regulations.coppa, "regs.coppa")
            flag(regulations.gdpr, "regs.gdpr")
            if let text = regulations.usPrivacy, text.utf8.count != 4 {
                fault("regs.us_privacy", .outOfRange, "four characters")
            }
        }

        private mutating func chain(_ chain: SupplyChain) {
            let path = "source.schain"
            if chain.isComplete == nil { fault("\(path).complete", .missing) }
            flag(chain.isComplete, "\(path).complete")
            require(chain.chainVersion, "\(path).ver")
            if chain.nodes.isEmpty { fault("\(path).nodes", .missing, "at least one") }
            for (index, node) in chain.nodes.enumerated() {
                require(node.domain, "\(path).nodes[\(index)].asi")
                require(node.sellerID, "\(path).nodes[\(index)].sid")
                flag(node.isPaid, "\(path).nodes[\(index)].hp")
            }
        }
    }
}

// MARK: Rules

extension OpenRTB.RequestCheck {
    private mutating func fault(_ path: String, _ reason: OpenRTB.Reason, _ detail: String = "") {
        guard faults.count < 100 else { return }
        faults.append(OpenRTB.Fault(path, reason, detail))
    }

    private mutating func require(_ text: String?, _ path: String) {
        if text?.isEmpty ?? true { fault(path, .missing) }
    }

    private mutating func unique(_ ids: [String], _ path: String, _ field: String) {
        var seen: Set<String> = []
        for (index, id) in ids.enumerated() where !id.isEmpty && !seen.insert(id).inserted {
            fault("\(path)[\(index)].\(field)", .duplicate)
        }
    }

    private mutating func one(of range: ClosedRange<Int>, _ value: Int?, _ path: String) {
        // Values from 500 on are specific to an exchange.
        if let value, !range.contains(value), value < 500 { fault(path, .outOfRange) }
    }

    private mutating func flag(_ value: Int?, _ path: String) {
        if let value, value != 0, value != 1 { fault(path, .outOfRange, "0 or 1") }
    }

    private mutating func positive(_ value: Int?, _ path: String) {
        if let value, value <= 0 { fault(path, .outOfRange, "above 0") }
    }

    private mutating func notNegative(_ value: Int?, _ path: String) {
        if let value, value < 0 { fault(path, .outOfRange, "not below 0") }
    }

    private mutating func money(_ value: Int64?, _ path: String) {
        if let value, value < 0 { fault(path, .outOfRange, "not below 0") }
    }

    private mutating func currency(_ value: String?, _ path: String) {
        guard let value else { return }
        let isCode = value.utf8.count == 3 && value.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        if !isCode { fault(path, .outOfRange, "three capital letters") }
    }

    private mutating func each(_ values: [Int]?, _ range: ClosedRange<Int>, _ path: String) {
        for (index, value) in (values ?? []).enumerated() { one(of: range, value, "\(path)[\(index)]") }
    }

    private mutating func exclude<Value>(
        _ one: [Value]?, _ other: [Value]?, _ path: String, _ otherPath: String
    ) {
        if !(one ?? []).isEmpty, !(other ?? []).isEmpty {
            fault(path, .conflict, "not together with \(otherPath)")
        }
    }

    private mutating func address(_ address: String, _ path: String) {
        if !OpenRTB.Address.isWeb(address) { fault(path, .outOfRange, "an http or https address") }
    }
}
