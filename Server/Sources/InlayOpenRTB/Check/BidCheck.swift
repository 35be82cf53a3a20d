@_spi(Inlay) import InlayWire

/// The rules for one bid, checked in this order: form, price, seat and deal, the publisher's lists, markup.
struct BidCheck {
    typealias Rejection = OpenRTB.ResponseCheck.Rejection
    typealias Loss = OpenRTB.LossReason

    let request: OpenRTB.BidRequest
    let seat: OpenRTB.SeatBid
    let bid: OpenRTB.Bid
    let path: String
    /// The hosts that markup may load from over http.
    var cleartextHosts: Set<String> = []
    var maximumPriceMicros = Int64.max

    /// Returns the bid when it passes all rules; throws the first violation.
    func accept() throws(Rejection) -> OpenRTB.ResponseCheck.AcceptedBid {
        guard !bid.id.isEmpty else { throw reject(.invalidResponse, "id", .missing) }
        guard let impression = request.impressions.first(where: { $0.id == bid.impressionID }) else {
            throw reject(.invalidResponse, "impid", bid.impressionID.isEmpty ? .missing : .unknown)
        }
        let price = try self.price()
        try seats()
        let deal = try self.deal(impression)
        let floor = try self.floor(impression, deal, price)
        try lists(impression, deal)
        let kind = try self.kind(impression)
        try markup(impression, kind)
        try addresses()
        return .init(
            seat: seat, bid: bid, kind: kind, deal: deal, priceMicros: price, floorMicros: floor)
    }

    private func reject(
        _ loss: Loss, _ field: String, _ reason: OpenRTB.Reason, _ detail: String = ""
    ) -> Rejection {
        Rejection(loss, OpenRTB.Fault("\(path).\(field)", reason, detail))
    }

    private func rejectSeat(_ detail: String) -> Rejection {
        let end = path.range(of: ".bid[")?.lowerBound ?? path.endIndex
        return Rejection(.seatBlocked, OpenRTB.Fault("\(path[..<end]).seat", .blocked, detail))
    }

    // MARK: Seat, deal and money

    private func seats() throws(Rejection) {
        let name = seat.seat ?? ""
        if let allowed = request.allowedSeats, !allowed.isEmpty, !allowed.contains(name) {
            throw rejectSeat("not in wseat")
        }
        if (request.blockedSeats ?? []).contains(name) { throw rejectSeat("in bseat") }
    }

    private func deal(_ impression: OpenRTB.Impression) throws(Rejection) -> OpenRTB.Deal? {
        let market = impression.privateMarket
        guard let id = bid.dealID, !id.isEmpty else {
            guard market?.isPrivate == 1 else { return nil }
            throw reject(.invalidDealID, "dealid", .missing, "only deals are sold")
        }
        guard let deal = market?.deals.first(where: { $0.id == id }) else {
            throw reject(.invalidDealID, "dealid", .unknown)
        }
        if let allowed = deal.allowedSeats, !allowed.isEmpty, !allowed.contains(seat.seat ?? "") {
            throw reject(.notAllowedInDeal, "dealid", .blocked, "not this seat's deal")
        }
        if let allowed = deal.allowedAdvertisers, !allowed.isEmpty,
            !(bid.advertiserDomains ?? []).contains(where: { domain in
                allowed.contains { DomainRule($0).covers(domain) }
            })
        {
            throw reject(.notAllowedInDeal, "adomain", .blocked, "not this advertiser's deal")
        }
        return deal
    }

    private func price() throws(Rejection) -> Int64 {
        guard let price = bid.priceMicros else { throw reject(.missingPrice, "price", .missing) }
        guard price > 0 else { throw reject(.missingPrice, "price", .outOfRange, "above 0") }
        guard price <= maximumPriceMicros else {
            throw reject(.aboveMaximumPrice, "price", .outOfRange, "above the exchange's maximum")
        }
        return price
    }

    private func floor(
        _ impression: OpenRTB.Impression, _ deal: OpenRTB.Deal?, _ price: Int64
    ) throws(Rejection) -> Int64 {
        let floor = deal.map { $0.floorMicros ?? 0 } ?? impression.floorMicros ?? 0
        guard price >= floor else {
            throw reject(deal == nil ? .belowFloor : .belowDealFloor, "price", .belowFloor)
        }
        return floor
    }

    // MARK: The publisher's lists

    private func lists(_ impression: OpenRTB.Impression, _ deal: OpenRTB.Deal?) throws(Rejection) {
        let domains = bid.advertiserDomains ?? []
        guard domains.count <= 20 else { throw reject(.invalidAdvertiserDomain, "adomain", .tooLarge) }
        let blocked = request.blockedAdvertisers ?? []
        if !blocked.isEmpty {
            // A bid without a domain cannot be checked against the blocklist.
            guard !domains.isEmpty else { throw reject(.invalidAdvertiserDomain, "adomain", .missing) }
            if domains.contains(where: { domain in blocked.contains { DomainRule($0).covers(domain) } }) {
                throw reject(.advertiserExcluded, "adomain", .blocked, "in badv")
            }
        }
        if let bundle = bid.bundle, (request.blockedApps ?? []).contains(bundle) {
            throw reject(.appExcluded, "bundle", .blocked, "in bapp")
        }
        try categories()
        try attributes(impression)
        try language()
    }

    private func categories() throws(Rejection) {
        let categories = bid.categories ?? []
        let taxonomy = request.categoryTaxonomy ?? 1
        let blocked = request.blockedCategories ?? []
        let allowed = request.allowedCategories ?? []
        guard !blocked.isEmpty || !allowed.isEmpty else { return }
        // Category ids of another taxonomy cannot be compared.
        if !categories.isEmpty, (bid.categoryTaxonomy ?? 1) != taxonomy {
            throw reject(.categoryExcluded, "cattax", .conflict, "the request's list of categories")
        }
        // IAB7-39 is a part of IAB7.
        func covers(_ rule: String, _ category: String) -> Bool {
            category == rule || category.hasPrefix(rule + "-")
        }
        if categories.contains(where: { category in blocked.contains { covers($0, category) } }) {
            throw reject(.categoryExcluded, "cat", .blocked, "in bcat")
        }
        if !allowed.isEmpty,
            !categories.allSatisfy({ category in allowed.contains { covers($0, category) } })
                || categories.isEmpty
        {
            throw reject(.categoryExcluded, "cat", .blocked, "not in acat")
        }
    }

    private func attributes(_ impression: OpenRTB.Impression) throws(Rejection) {
        let blocked = Set(
            (impression.banner?.blockedAttributes ?? []) + (impression.video?.blockedAttributes ?? []))
        if let attributes = bid.attributes, attributes.contains(where: blocked.contains) {
            throw reject(.attributeExcluded, "attr", .blocked, "in battr")
        }
        let needed = bid.apis ?? bid.api.map { [$0] } ?? []
        let offered = (impression.banner?.apis ?? []) + (impression.video?.apis ?? [])
        guard needed.allSatisfy({ $0 == 0 || offered.contains($0) }) else {
            throw reject(.wrongFormat, bid.apis == nil ? "api" : "apis", .notAllowed, "not in api")
        }
    }

    private func language() throws(Rejection) {
        // "xx" is a creative without language.
        if let language = bid.language, language != "xx", let allowed = request.languages, !allowed.isEmpty,
            !allowed.contains(where: { $0.lowercased() == language.lowercased() })
        {
            throw reject(.languageExcluded, "language", .blocked, "not in wlang")
        }
        if let tag = bid.languageTag, let allowed = request.languageTags, !allowed.isEmpty,
            !allowed.contains(where: { $0.lowercased() == tag.lowercased() })
        {
            throw reject(.languageExcluded, "langb", .blocked, "not in wlangb")
        }
    }

    // MARK: Markup

    private func kind(_ impression: OpenRTB.Impression) throws(Rejection) -> OpenRTB.ResponseCheck.MarkupKind
    {
        guard let markup = bid.markup, !markup.isEmpty else { throw reject(.missingMarkup, "adm", .missing) }
        guard markup.utf8.count <= OpenRTB.maximumMarkupBytes else {
            throw reject(.filtered, "adm", .tooLarge)
        }
        let kind: OpenRTB.ResponseCheck.MarkupKind
        if let type = bid.markupType {
            guard let known = OpenRTB.ResponseCheck.MarkupKind(rawValue: type) else {
                throw reject(.wrongFormat, "mtype", .notAllowed, "banner or video")
            }
            kind = known
        } else {
            guard let detected = Self.detectedKind(markup) else {
                throw reject(.wrongFormat, "mtype", .missing, "and the markup does not show it")
            }
            kind = detected
        }
        let isOffered = kind == .banner ? impression.banner != nil : impression.video != nil
        guard isOffered else { throw reject(.wrongFormat, "mtype", .notAllowed, "not what was asked for") }
        return kind
    }

    private func markup(
        _ impression: OpenRTB.Impression, _ kind: OpenRTB.ResponseCheck.MarkupKind
    ) throws(Rejection) {
        if impression.isSecure == 1, let markup = bid.markup,
            OpenRTB.Address.loadsInsecurely(markup, except: cleartextHosts)
        {
            throw reject(.notSecure, "adm", .notSecure, "it loads something over http")
        }
        switch kind {
        case .banner: try size(impression.banner)
        case .video: try video(impression.video)
        }
        if let seconds = bid.expirySeconds, seconds <= 0 {
            throw reject(.invalidResponse, "exp", .outOfRange, "above 0")
        }
    }

    private func size(_ banner: OpenRTB.Banner?) throws(Rejection) {
        guard let banner, bid.width != nil || bid.height != nil else { return }
        guard let width = bid.width, let height = bid.height, width >= 0, height >= 0 else {
            throw reject(.sizeNotAllowed, "w", .conflict, "w and h must be given together")
        }
        var sizes = banner.formats.compactMap { format in
            format.width.flatMap { width in format.height.map { (width, $0) } }
        }
        if let width = banner.width, let height = banner.height { sizes.append((width, height)) }
        // An adaptive unit has no sizes and accepts any.
        guard sizes.isEmpty || sizes.contains(where: { $0 == (width, height) }) else {
            throw reject(.sizeNotAllowed, "w", .notAllowed, "a size of the request")
        }
    }

    private func video(_ video: OpenRTB.Video?) throws(Rejection) {
        guard let video else { return }
        if let value = bid.videoProtocol, let allowed = video.protocols, !allowed.isEmpty,
            !allowed.contains(value)
        {
            throw reject(.wrongFormat, "protocol", .notAllowed, "not in protocols")
        }
        if let seconds = bid.durationSeconds {
            let isTooShort = video.minimumSeconds.map { seconds < $0 } ?? false
            let isTooLong = video.maximumSeconds.map { seconds > $0 } ?? false
            let isOther = video.exactSeconds.map { !$0.isEmpty && !$0.contains(seconds) } ?? false
            if isTooShort || isTooLong || isOther {
                throw reject(.wrongFormat, "dur", .notAllowed, "a duration of the request")
            }
        }
    }

    private func addresses() throws(Rejection) {
        for (address, field) in [
            (bid.winURL, "nurl"), (bid.billingURL, "burl"), (bid.lossURL, "lurl"), (bid.sampleURL, "iurl"),
        ] {
            do throws(WebAddress.Refusal) {
                _ = try OpenRTB.Address.read(address ?? "")
            } catch .empty {
                continue
            } catch {
                throw reject(.invalidResponse, field, .outOfRange, error.description)
            }
        }
    }

    /// Returns the kind that the start of the markup shows: VAST or HTML.
    private static func detectedKind(_ markup: String) -> OpenRTB.ResponseCheck.MarkupKind? {
        let start = markup.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("<VAST") { return .video }
        if start.hasPrefix("<?xml") { return markup.contains("<VAST") ? .video : nil }
        return start.hasPrefix("<") ? .banner : nil
    }
}
