@_spi(Inlay) import InlayWire

extension OpenRTB {
    /// The result of checking a bidder's response against its request.
    ///
    /// Each bid is checked separately. A rejected bid has the place of its error and a reason for its loss notice; the
    /// others remain. A response to another request, or in a currency that was not offered, is rejected as a whole.
    package struct ResponseCheck: Sendable {
        /// A bid that may take part in the auction.
        package struct AcceptedBid: Sendable {
            package var seat: SeatBid
            package var bid: Bid
            /// Banner or video, from `mtype` or else from the markup.
            package var kind: MarkupKind
            /// The deal that the bid uses.
            package var deal: Deal?
            /// The price per thousand impressions.
            package var priceMicros: Int64
            /// The floor that applied: the deal's, which is 0 by default, or without a deal the impression's.
            package var floorMicros: Int64
        }

        /// A bid that may not take part in the auction.
        package struct RejectedBid: Sendable {
            package var seat: SeatBid
            package var bid: Bid
            package var loss: LossReason
            package var fault: Fault
        }

        /// The kind of a bid's markup.
        package enum MarkupKind: Int, Sendable { case banner = 1, video = 2 }

        /// The bids that may take part, in the response's order.
        package private(set) var acceptedBids: [AcceptedBid] = []
        /// The bids that may not take part, in the response's order.
        package private(set) var rejectedBids: [RejectedBid] = []
        /// The errors of the response itself.
        package private(set) var faults: [Fault] = []

        private let request: BidRequest
        private let cleartextHosts: Set<String>
        private let maximumPriceMicros: Int64
        private var seen: Set<String> = []

        /// Checks a response.
        ///
        /// Markup may load from `cleartextHosts` over http, for servers on the same machine. A bid above the maximum
        /// price is rejected, not capped: such a price is a mistake.
        package init(
            _ document: RTBDocument<BidResponse>, to request: BidRequest, cleartextHosts: Set<String> = [],
            maximumPriceMicros: Int64 = .max
        ) {
            self.request = request
            self.cleartextHosts = cleartextHosts
            self.maximumPriceMicros = maximumPriceMicros
            let response = document.object
            faults = document.faults.filter { !$0.path.hasPrefix("seatbid[") }
            let common = Self.commonRejection(response, request)
            if let common { faults.append(common.fault) }
            seats: for (seatIndex, seat) in response.seatBids.enumerated() {
                if seat.bids.isEmpty {
                    faults.append(Fault("seatbid[\(seatIndex)].bid", .missing, "at least one"))
                }
                for (index, bid) in seat.bids.enumerated() {
                    let path = "seatbid[\(seatIndex)].bid[\(index)]"
                    // Each bid may need a notice, which costs a row and a day of retries.
                    guard acceptedBids.count + rejectedBids.count < OpenRTB.maximumResponseBids else {
                        faults.append(Fault(path, .tooLarge, "at most \(OpenRTB.maximumResponseBids) bids"))
                        break seats
                    }
                    var unread: Rejection?
                    if !bid.isFullyRead {
                        // The document lists only its first faults.
                        let fault = document.faults.first { $0.path.hasPrefix(path + ".") }
                        unread = Rejection(
                            .invalidResponse, fault ?? Fault(path, .malformed, "a field cannot be read"))
                    }
                    check(bid, seat, path, common ?? unread)
                }
            }
        }

        private static func commonRejection(_ response: BidResponse, _ request: BidRequest) -> Rejection? {
            guard response.id == request.id else {
                let reason: Reason = response.id.isEmpty ? .missing : .unknown
                return Rejection(.invalidAuctionID, Fault("id", reason, "the request's id"))
            }
            let currency = response.currency ?? "USD"
            guard (request.currencies ?? ["USD"]).contains(currency) else {
                return Rejection(.invalidResponse, Fault("cur", .notAllowed, "a currency of the request"))
            }
            return nil
        }

        private mutating func check(_ bid: Bid, _ seat: SeatBid, _ path: String, _ known: Rejection?) {
            do throws(Rejection) {
                if let known { throw known }
                guard seen.insert("\(seat.seat ?? "")/\(bid.id)").inserted || bid.id.isEmpty else {
                    throw Rejection(.invalidResponse, Fault("\(path).id", .duplicate))
                }
                acceptedBids.append(
                    try BidCheck(
                        request: request, seat: seat, bid: bid, path: path, cleartextHosts: cleartextHosts,
                        maximumPriceMicros: maximumPriceMicros
                    ).accept())
            } catch {
                rejectedBids.append(RejectedBid(seat: seat, bid: bid, loss: error.loss, fault: error.fault))
            }
        }

        struct Rejection: Error {
            let loss: LossReason
            let fault: Fault

            init(_ loss: LossReason, _ fault: Fault) { (self.loss, self.fault) = (loss, fault) }
        }
    }
}
