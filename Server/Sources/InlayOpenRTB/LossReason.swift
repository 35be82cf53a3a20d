extension OpenRTB {
    /// The reason for which a bid lost, sent to the bidder as `${AUCTION_LOSS}` (OpenRTB loss reason codes).
    package enum LossReason: Int, Hashable, Sendable, CaseIterable, Codable {
        case won = 0
        case internalError = 1
        case expired = 2
        case invalidResponse = 3
        case invalidDealID = 4
        case invalidAuctionID = 5
        case invalidAdvertiserDomain = 6
        case missingMarkup = 7
        case missingCreativeID = 8
        case missingPrice = 9
        case missingApprovalData = 10
        case belowFloor = 100
        case belowDealFloor = 101
        case lostToHigherBid = 102
        case lostToDeal = 103
        case seatBlocked = 104
        case filtered = 200
        case approvalPending = 201
        case disapproved = 202
        case sizeNotAllowed = 203
        case wrongFormat = 204
        case advertiserExcluded = 205
        case appExcluded = 206
        case notSecure = 207
        case languageExcluded = 208
        case categoryExcluded = 209
        case attributeExcluded = 210
        case typeExcluded = 211
        case animationTooLong = 212
        case notAllowedInDeal = 213
        /// The price exceeds the exchange's maximum. Codes from 1000 on are specific to an exchange.
        case aboveMaximumPrice = 1000

        /// Whether the price decided. Only then may the bidder learn the price that would have won.
        package var isAboutPrice: Bool {
            switch self {
            case .won, .belowFloor, .belowDealFloor, .lostToHigherBid, .lostToDeal: true
            default: false
            }
        }
    }
}
