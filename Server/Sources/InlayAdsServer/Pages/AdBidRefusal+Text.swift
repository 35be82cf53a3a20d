import InlayOpenRTB
import InlayServerCore
import InlayWorkbench

/// Refused bids of one bidder, as its page shows them.
struct RefusedBidsModel {
    /// One reason.
    struct Row {
        let reason: String
        let reasonCode: String
        let times: String
        let last: Moment
    }

    let rangeText: String
    let rows: [Row]
    let hasRows: Bool

    init(_ found: [AdReportStore.RefusedBids], days: Int, for request: WorkbenchRequest) {
        rangeText = "In the last \(days) days"
        rows = found.map { line in
            Row(
                reason: Self.words(line.reason),
                reasonCode: line.field.isEmpty ? line.reason : "\(line.reason) \(line.field)",
                times: Count.grouped(Int(line.times)), last: request.moment(line.lastAt))
        }
        hasRows = !rows.isEmpty
    }

    private static func words(_ reason: String) -> String {
        if let failure = BidderClient.Failure(rawValue: reason) { return failure.words }
        return Int(reason).flatMap(OpenRTB.LossReason.init)?.words ?? reason
    }
}

extension BidderClient.Failure {
    fileprivate var words: String {
        switch self {
        case .timeout: "No response in time"
        case .connection: "No connection"
        case .status: "Error status"
        case .tooLarge: "Response too large"
        case .unreadable: "Response not readable"
        case .refusedAddress: "Address in a private network"
        }
    }
}

extension OpenRTB.LossReason {
    fileprivate var words: String {
        switch self {
        case .won: "Won"
        case .internalError: "Internal error"
        case .expired: "Bid expired"
        case .invalidResponse: "Invalid bid"
        case .invalidDealID: "Invalid deal id"
        case .invalidAuctionID: "Response to another request"
        case .invalidAdvertiserDomain: "Invalid advertiser domain"
        case .missingMarkup: "No markup"
        case .missingCreativeID: "No creative id"
        case .missingPrice: "No price"
        case .missingApprovalData: "Not enough data for approval"
        case .belowFloor: "Below the floor price"
        case .belowDealFloor: "Below the deal's floor price"
        case .aboveMaximumPrice: "Above the maximum price"
        case .lostToHigherBid: "Lost to a higher bid"
        case .lostToDeal: "Lost to a deal"
        case .seatBlocked: "Seat blocked"
        default: creativeText
        }
    }

    private var creativeText: String {
        switch self {
        case .approvalPending: "Creative not approved yet"
        case .disapproved: "Creative disapproved"
        case .sizeNotAllowed: "Wrong size"
        case .wrongFormat: "Wrong format"
        case .advertiserExcluded: "Advertiser blocked"
        case .appExcluded: "App blocked"
        case .notSecure: "Loads something over http"
        case .languageExcluded: "Language not allowed"
        case .categoryExcluded: "Category blocked"
        case .attributeExcluded: "Creative attribute blocked"
        case .typeExcluded: "Ad type blocked"
        case .animationTooLong: "Animation too long"
        case .notAllowedInDeal: "Not allowed in the deal"
        default: "Creative filtered"
        }
    }
}
