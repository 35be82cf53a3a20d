import InlayWire

extension OpenRTB {
    /// Checks a bidder's answer against the request that it answers.
    ///
    /// Each bid stands for itself: what is wrong with one is told with its place and a reason for its loss notice, and
    /// the others stay. Only an answer to another request, or in a currency that was not asked for, is refused whole.
    package struct AnswerCheck: Sendable {
        /// A bid that may take part in the auction.
        package struct Offer: Sendable {
            package var seat: SeatBid
            package var bid: Bid
            /// Banner or video; as told by `mtype`, or seen in the markup.
            package var kind: MarkupKind
            /// The deal, when the bid has one.
            package var deal: Deal?
            /// Per thousand.
            package var priceMicros: Int64
            /// What it had to reach: the deal's floor, else the impression's.
            package var floorMicros: Int64
        }

        /// A bid that may not.
        package struct Refusal: Sendable {
            package var seat: SeatBid
            package var bid: Bid
            package var loss: LossReason
            package var fault: Fault
        }

        /// What markup is.
        package enum MarkupKind: Int, Sendable { case banner = 1, video = 2 }

        /// The bids that may take part, in the answer's order.
        package private(set) var offers: [Offer] = []
        /// The bids that may not, in the answer's order.
        package private(set) var refusals: [Refusal] = []
        /// What is wrong with the answer itself.
        package private(set) var faults: [Fault] = []

        private let request: BidRequest
        private let plainHosts: Set<String>
        private let maximumPriceMicros: Int64
        private var seen: Set<String> = []

        /// Checks an answer. Hosts of `plainHosts` may be loaded from over plain http, for servers on the same machine.
        /// A price above the maximum is a mistake, and nobody would pay it: such a bid is refused and not cut.
        package init(
            _ document: RTBDocument<BidResponse>, to request: BidRequest, plainHosts: Set<String> = [],
            maximumPriceMicros: Int64 = .max
        ) {
            self.request = request
            self.plainHosts = plainHosts
            self.maximumPriceMicros = maximumPriceMicros
            let answer = document.object
            faults = document.faults.filter { !$0.path.hasPrefix("seatbid[") }
            let whole = Self.whole(answer, request)
            if let whole { faults.append(whole.fault) }
            seats: for (seatIndex, seat) in answer.seatBids.enumerated() {
                if seat.bids.isEmpty {
                    faults.append(Fault("seatbid[\(seatIndex)].bid", .missing, "at least one"))
                }
                for (index, bid) in seat.bids.enumerated() {
                    let path = "seatbid[\(seatIndex)].bid[\(index)]"
                    // Each one may cost a notice, and a notice a row and a day of calls.
                    guard offers.count + refusals.count < OpenRTB.answerBids else {
                        faults.append(Fault(path, .tooLarge, "at most \(OpenRTB.answerBids) bids"))
                        break seats
                    }
                    let wrongType = document.faults.first { $0.path.hasPrefix(path + ".") }
                    judge(bid, seat, path, whole ?? wrongType.map { Verdict(.invalidResponse, $0) })
                }
            }
        }

        private static func whole(_ answer: BidResponse, _ request: BidRequest) -> Verdict? {
            guard answer.id == request.id else {
                let reason: Reason = answer.id.isEmpty ? .missing : .unknown
                return Verdict(.invalidAuctionID, Fault("id", reason, "the request's id"))
            }
            let currency = answer.currency ?? "USD"
            guard (request.currencies ?? ["USD"]).contains(currency) else {
                return Verdict(.invalidResponse, Fault("cur", .notAllowed, "a currency of the request"))
            }
            return nil
        }

        private mutating func judge(_ bid: Bid, _ seat: SeatBid, _ path: String, _ known: Verdict?) {
            do throws(Verdict) {
                if let known { throw known }
                guard seen.insert("\(seat.seat ?? "")/\(bid.id)").inserted || bid.id.isEmpty else {
                    throw Verdict(.invalidResponse, Fault("\(path).id", .duplicate))
                }
                offers.append(
                    try BidCheck(
                        request: request, seat: seat, bid: bid, path: path, plainHosts: plainHosts,
                        maximumPriceMicros: maximumPriceMicros
                    ).offer())
            } catch {
                refusals.append(Refusal(seat: seat, bid: bid, loss: error.loss, fault: error.fault))
            }
        }

        struct Verdict: Error {
            let loss: LossReason
            let fault: Fault

            init(_ loss: LossReason, _ fault: Fault) { (self.loss, self.fault) = (loss, fault) }
        }
    }
}
