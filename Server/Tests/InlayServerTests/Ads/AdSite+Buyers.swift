import InlayWire

@testable import InlayServer

extension AdSite {
    /// A bidder that answers with one bid.
    @discardableResult
    func bidder(
        _ name: String, _ price: Int64? = nil, timeout: Int = 20_000, deal: String? = nil,
        change: @escaping @Sendable (inout OpenRTB.Bid) -> Void = { _ in }
    ) async throws -> AdBidder {
        let port = app.port
        if let price {
            buyers.answer(name) { request in
                FakeBuyers.bids(
                    request, [FakeBuyers.bid(name, price, port: port, deal: deal, change: change)])
            }
        }
        let bidder = AdBidder(
            name: name, endpoint: "http://127.0.0.1:\(port)/test/bidder/\(name)", timeout: timeout)
        return try await records.save(environmentID, bidder).record
    }

    /// The notices that were acknowledged, once there are so many.
    func notices(_ count: Int) async throws -> [String] {
        try await passTime { [buyers] in Set(buyers.notices).count >= count }
        return Set(buyers.notices).sorted()
    }
}
