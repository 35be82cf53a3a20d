@_spi(Inlay) import InlayWire

/// A name by which rewards of a user are counted, and the number of people that it may stand for.
///
/// A signed-in user is counted by the token. Where a unit gives rewards without one, the advertising id is counted and,
/// because the caller chooses it, also the network, whose limits are those of several users.
struct AdRewardName: Hashable, Sendable {
    /// The factor by which the limits of a network without a named user exceed those of one user.
    static let peopleOfNetwork = 20

    let text: String
    let people: Int

    /// Returns the names of an impression's user, in one order for all requests, so that transactions lock several rows
    /// in the same order.
    static func names(of impression: AdImpression) -> [AdRewardName] {
        guard impression.userID.isEmpty else {
            let mark = AdUser.mark(ofUser: impression.userID, in: impression.environmentID)
            return [AdRewardName(text: mark, people: 1)]
        }
        let marks = AdUser(text: impression.person).marks.map { AdRewardName(text: $0, people: 1) }
        return marks + [AdRewardName(text: impression.network, people: peopleOfNetwork)]
    }
}
