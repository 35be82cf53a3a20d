import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import NIOCore

/// The auction of an ad request: calls the bidders concurrently and selects the best bid.
///
/// Every bidder has its own deadline within the remaining time of the request. A bidder that is late, fails
/// or sends an invalid response loses only its own bid.
struct AdBidding: Sendable {
    /// The time that is reserved for the server's own work after the last bid.
    static let overhead: Duration = .milliseconds(30)

    /// Responses of bidders by outcome.
    static let answers = MetricDescription(
        "inlay_ads_bidder_answers_total", "Responses of bidders by outcome.")

    /// The time from the app's request to the response.
    let budget: Duration
    let database: any SQLDatabase
    let client: BidderClient
    let gate: BidderGate
    let requests: AdRequestCounts
    let refusals: AdBidRefusalCounts
    /// A bid above this price for a thousand impressions is refused.
    let maximumPriceMicros: Int64
    /// The exchange's own domain, for the supply chain.
    let exchangeDomain: String?
    let metrics: any MetricsFactory
    let now: @Sendable () -> Timestamp
    /// Called when notices were queued.
    let wake: @Sendable () -> Void

    /// Returns the ad of the winning bid; `nil` when there is no valid bid.
    func ad(for adRequest: ResolvedAdRequest) async throws -> ServedAd? {
        let inventory = adRequest.inventory
        let bidders = inventory.snapshot.bidders(for: inventory.unit).filter { gate.admits($0) }
        guard !bidders.isEmpty else { return nil }
        let moment = now()
        let call = AdBidCall(adRequest, auctionID: .make(at: moment), exchangeDomain: exchangeDomain)
        let replies = await replies(of: bidders, call)
        let auction = AdAuction(call: call, replies: replies, at: moment)
        for refusal in auction.refusals { refusals.add(refusal, inventory.environmentID) }
        let outcome = auction.outcome
        let notices = (outcome?.notices ?? []) + auction.losses
        if outcome == nil, notices.isEmpty { return nil }
        try await database.write { connection in
            try outcome?.ad.store(connection)
            try AdNotice.queue(notices, connection)
        }
        if !notices.isEmpty { wake() }
        return outcome?.ad
    }

    private func replies(of bidders: [AdBidder], _ call: AdBidCall) async -> [AdBidReply] {
        let remaining = budget - Self.overhead - (ContinuousClock.now - call.adRequest.start)
        let replies = await withTaskGroup(of: AdBidReply?.self) { group in
            for bidder in bidders {
                let time = min(.milliseconds(bidder.timeout), remaining)
                let request = call.request(for: bidder, within: time)
                group.addTask {
                    await ask(bidder, request, within: time, for: call.adRequest.inventory)
                }
            }
            return await group.reduce(into: [AdBidReply]()) { list, reply in
                if let reply { list.append(reply) }
            }
        }
        // Sorted by id and not by arrival, so that the fastest bidder has no advantage.
        return replies.sorted { $0.bidderID < $1.bidderID }
    }

    private func ask(
        _ bidder: AdBidder, _ request: OpenRTB.BidRequest, within time: Duration,
        for inventory: ResolvedAdUnit
    ) async -> AdBidReply? {
        guard time > .zero else {
            gate.withdraw(bidder.id)
            return nil
        }
        let deadline = NIODeadline.now() + .nanoseconds(time.microseconds * 1_000)
        let answer = await client.ask(bidder.endpoint, ByteBuffer(bytes: request.json), until: deadline)
        if answer.wasCalled {
            requests.add(inventory.environmentID, unitID: inventory.unit.id, bidderID: bidder.id, at: now())
        }
        switch answer {
        case .none: reportAnswer(of: bidder, "no-bid")
        case .notCalled:
            gate.withdraw(bidder.id)
            count("not-called", of: bidder)
        case .failure(let failure): report(failure, of: bidder, inventory.environmentID)
        case .body(let body):
            switch read(body, of: bidder, request, until: deadline) {
            case .success(let reply):
                reportAnswer(of: bidder, "answer")
                return reply
            case .failure(let failure): report(failure, of: bidder, inventory.environmentID)
            }
        }
        return nil
    }

    private func read(
        _ body: ByteBuffer, of bidder: AdBidder, _ request: OpenRTB.BidRequest, until deadline: NIODeadline
    ) -> Result<AdBidReply, BidderClient.Failure> {
        guard let document = try? RTBDocument<OpenRTB.BidResponse>(reading: body) else {
            return .failure(.unreadable)
        }
        let check = OpenRTB.ResponseCheck(document, to: request, maximumPriceMicros: maximumPriceMicros)
        // Reading and checking take time too and cannot be cancelled.
        guard NIODeadline.now() < deadline else { return .failure(.timeout) }
        return .success(
            AdBidReply(
                bidderID: bidder.id, vendorID: bidder.vendorID, response: document.object, check: check))
    }

    private func reportAnswer(of bidder: AdBidder, _ outcome: String) {
        gate.report(bidder.id, isFailure: false)
        count(outcome, of: bidder)
    }

    private func report(
        _ failure: BidderClient.Failure, of bidder: AdBidder, _ environmentID: EnvironmentID
    ) {
        gate.report(bidder.id, isFailure: true)
        count(failure.rawValue, of: bidder)
        refusals.add(AdBidRefusal(bidder.id, failure), environmentID)
    }

    private func count(_ outcome: String, of bidder: AdBidder) {
        Counter(
            label: Self.answers.name,
            dimensions: [("bidder", bidder.id.rawValue), ("outcome", outcome)],
            factory: metrics
        ).increment()
    }
}

/// The checked response of one bidder.
struct AdBidReply: Sendable {
    let bidderID: AdBidderID
    var vendorID: Int?
    let response: OpenRTB.BidResponse
    let check: OpenRTB.ResponseCheck
}
