import Foundation
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The bids of one auction, its winner, and the notices to bidders.
struct AdAuction: Sendable {
    /// The winner's ad, and its win notice when it asked for one.
    struct Outcome: Sendable {
        let ad: ServedAd
        let notices: [AdNotice]
    }

    private struct Entry {
        let reply: AdBidReply
        let accepted: OpenRTB.ResponseCheck.AcceptedBid
    }

    private let call: AdBidCall
    private let replies: [AdBidReply]
    private let moment: Timestamp
    private let entries: [Entry]
    private let bids: [AuctionBid]
    /// Bids that passed the check, but use MRAID where the unit does not allow it.
    private let unwanted: [Entry]
    private let result: AuctionResult?

    init(call: AdBidCall, replies: [AdBidReply], at moment: Timestamp) {
        let unit = call.adRequest.inventory.unit
        let all = replies.flatMap { reply in
            reply.check.acceptedBids.map { Entry(reply: reply, accepted: $0) }
        }
        let entries = all.filter { unit.allowsMRAID || !Self.usesMRAID($0.accepted.bid) }
        let prices = Dictionary(call.deals.map { ($0.id, $0.price) }) { first, _ in first }
        let bids = entries.map { entry in
            AuctionBid(
                bidderID: entry.reply.bidderID, bidID: entry.accepted.bid.id,
                priceMicros: entry.accepted.priceMicros,
                floorMicros: entry.accepted.floorMicros,
                deal: entry.accepted.deal.flatMap { prices[AdDealID($0.id)] })
        }
        self.call = call
        self.replies = replies
        self.moment = moment
        self.entries = entries
        unwanted = all.count == entries.count ? [] : all.filter { Self.usesMRAID($0.accepted.bid) }
        self.bids = bids
        result = AuctionResult(bids, auctionID: call.auctionID, rule: unit.priceRule)
    }

    /// The winner's ad with its macros filled, or `nil` when nobody bid.
    var outcome: Outcome? {
        guard let result else { return nil }
        let entry = entries[result.winner], bid = entry.accepted.bid
        var macros = macros(entry.reply, entry.accepted.seat, bid)
        macros.loss = .won
        macros.priceMicros = result.paidMicros
        macros.minimumToWinMicros = OpenRTB.MinimumToWin.micros(
            isWinner: true, paidMicros: result.paidMicros, nextMicros: result.nextMicros,
            floorMicros: entry.accepted.floorMicros)
        var impression = call.adRequest.impression(
            id: call.auctionID, priceNanos: result.paidMicros, videoLength: videoLength(of: bid), at: moment,
            life: bid.expirySeconds.map { .seconds(min($0, 86_400)) }, for: .vendor(entry.reply.vendorID))
        impression.bidderID = entry.reply.bidderID
        impression.creativeID = OpenRTB.Macros.sanitized(bid.creativeID) ?? ""
        impression.dealID = entry.accepted.deal.map { AdDealID($0.id) } ?? .noDeal
        impression.burl = Self.callable(bid.billingURL).map { AdShownTime.filled(macros, $0) }
        let won = Self.callable(bid.winURL).map {
            AdNotice(impression, .nurl, url: macros.filled($0), amountNanos: 0, at: moment)
        }
        let unit = call.adRequest.inventory.unit
        let ad = ServedAd(
            impression: impression, unit: unit, markup: macros.filled(bid.markup ?? ""),
            width: bid.width ?? unit.width, height: bid.height ?? unit.height,
            usesMRAID: Self.usesMRAID(bid))
        return Outcome(ad: ad, notices: won.map { [$0] } ?? [])
    }

    private func videoLength(of bid: OpenRTB.Bid) -> Duration? {
        guard call.adRequest.inventory.unit.format.isVideo else { return nil }
        let declared = bid.durationSeconds.flatMap { $0 > 0 ? Duration.seconds($0) : nil }
        return AdEventTiming.length(ofVAST: bid.markup ?? "", declared: declared)
    }

    /// The bids that took no part in the auction, each with the reason and the field.
    var refusals: [AdBidRefusal] {
        unwanted.map { AdBidRefusal($0.reply.bidderID, .wrongFormat, field: "adm") }
            + replies.flatMap { reply in
                reply.check.rejectedBids.map { AdBidRefusal(reply.bidderID, $0.loss, path: $0.fault.path) }
            }
    }

    /// The notices for bidders that lost and asked for a loss notice.
    var losses: [AdNotice] {
        var found: [(bidder: AdBidderID, url: String)] = []
        for (index, entry) in entries.enumerated() where index != result?.winner {
            let reason = lossReason(index)
            if let url = lossURL(entry.reply, entry.accepted.seat, entry.accepted.bid, reason) {
                found.append((entry.reply.bidderID, url))
            }
        }
        for entry in unwanted {
            if let url = lossURL(entry.reply, entry.accepted.seat, entry.accepted.bid, .wrongFormat) {
                found.append((entry.reply.bidderID, url))
            }
        }
        for reply in replies {
            for refusal in reply.check.rejectedBids {
                if let url = lossURL(reply, refusal.seat, refusal.bid, refusal.loss) {
                    found.append((reply.bidderID, url))
                }
            }
        }
        return found.enumerated().map { number, loss in
            AdNotice(
                lost: call.auctionID, call.adRequest.inventory.environmentID, bidderID: loss.bidder,
                number: number,
                url: loss.url, at: moment)
        }
    }

    /// Returns why a bid lost. A bid without a deal that is at least as high as the winning deal's bid lost to the
    /// deal, not to the price.
    private func lossReason(_ index: Int) -> OpenRTB.LossReason {
        guard let result else { return .internalError }
        let winner = bids[result.winner]
        let isOpenBidAgainstDeal = winner.deal != nil && bids[index].deal == nil
        return isOpenBidAgainstDeal && bids[index].priceMicros >= winner.priceMicros
            ? .lostToDeal : .lostToHigherBid
    }

    private func lossURL(
        _ reply: AdBidReply, _ seat: OpenRTB.SeatBid, _ bid: OpenRTB.Bid, _ reason: OpenRTB.LossReason
    ) -> String? {
        guard let url = Self.callable(bid.lossURL) else { return nil }
        var macros = macros(reply, seat, bid)
        macros.loss = reason
        if reason.isAboutPrice {
            macros.minimumToWinMicros = result?.paidMicros ?? call.adRequest.inventory.unit.floorMicros
        }
        return macros.filled(url)
    }

    private func macros(
        _ reply: AdBidReply, _ seat: OpenRTB.SeatBid, _ bid: OpenRTB.Bid
    ) -> OpenRTB.Macros {
        OpenRTB.Macros(auctionID: call.auctionID.rawValue, response: reply.response, seat: seat, bid: bid)
    }

    /// Whether the creative uses MRAID. The markup is searched too, because bidders omit the API.
    private static func usesMRAID(_ bid: OpenRTB.Bid) -> Bool {
        (bid.apis ?? bid.api.map { [$0] } ?? []).contains { [3, 5, 6].contains($0) }
            || bid.markup?.containsBytes(of: "mraid.js") == true
    }

    /// Returns the address if it can be called, else `nil`; addresses of rejected bids are unchecked.
    private static func callable(_ address: String?) -> String? {
        address.flatMap { try? OpenRTB.Address.read($0) }
    }
}
