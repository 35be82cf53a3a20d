@_spi(Inlay) import InlayWire

/// A name by which the rewards of a user are counted, and the number of users that it may stand for.
///
/// A signed-in user is counted by the token. Where a unit gives rewards without one, the advertising id is counted and,
/// because the caller chooses it, also the network, whose limits are those of several users.
struct AdRewardRecipientName: Hashable, Sendable {
    /// The factor by which the limits of a network without a named user exceed those of one user.
    static let usersPerNetwork = 20

    let text: String
    let userCount: Int

    /// Returns the names of an impression's user, in one order for all requests, so that transactions lock several rows
    /// in the same order.
    static func names(of impression: AdImpression) -> [AdRewardRecipientName] {
        guard impression.userID.isEmpty else {
            let hash = AdUser.hash(ofUser: impression.userID, in: impression.environmentID)
            return [AdRewardRecipientName(text: hash, userCount: 1)]
        }
        let hashes = AdUser(text: impression.userHashes).hashes.map {
            AdRewardRecipientName(text: $0, userCount: 1)
        }
        return hashes + [AdRewardRecipientName(text: impression.network, userCount: usersPerNetwork)]
    }
}
