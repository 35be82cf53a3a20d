import InlayOpenRTB
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The part of a campaign's capacity that one network and one user hold with ads that nobody has seen yet.
///
/// A caller that requests ads and shows none would otherwise hold the whole capacity, and no other user would get
/// an ad of it. So each network and each signed-in user holds its ``FairShare`` only. An advertising id is no holder:
/// the caller chooses it. Campaigns without goal and budget have unlimited capacity, and nothing is counted.
struct AdHold {
    let environmentID: EnvironmentID
    let campaignID: AdCampaignID
    /// Sorted, so that all transactions lock the rows in the same order and cannot deadlock.
    private let holders: [String]

    init(_ environmentID: EnvironmentID, _ campaignID: AdCampaignID, network: String, userID: UserID) {
        self.environmentID = environmentID
        self.campaignID = campaignID
        let user = userID.isEmpty ? [] : [AdUser.hash(ofUser: userID, in: environmentID)]
        holders = ([network] + user).filter { !$0.isEmpty }.sorted()
    }

    /// Counts one impression for the network and one for the user; `false`, and counts none, when one of them has its
    /// share. `left` is the rest of the campaign's capacity.
    func take(left: Int64, _ connection: any SQLConnection) throws -> Bool {
        guard left > 0 else { return false }
        for (index, holder) in holders.enumerated() {
            guard try take(holder, left: left, connection) else {
                for taken in holders.prefix(index) { try release(taken, connection) }
                return false
            }
        }
        return true
    }

    // The condition is that of `FairShare`. One statement checks and counts, so that nodes that share a database count
    // exactly.
    private func take(_ holder: String, left: Int64, _ connection: any SQLConnection) throws -> Bool {
        let row = try connection.row(
            """
            INSERT INTO ad_holds (environment_id, campaign_id, holder, taken) VALUES (?, ?, ?, 1)
            ON CONFLICT (environment_id, holder, campaign_id) DO UPDATE SET taken = ad_holds.taken + 1
                WHERE ad_holds.taken = 0 OR (ad_holds.taken + 1) * ? <= ? + ad_holds.taken
            RETURNING taken
            """, key(holder) + [.integer(FairShare.parts), .integer(left)])
        return row != nil
    }

    /// Gives the impression back for both, once the ad was seen or can no longer be seen.
    func release(_ connection: any SQLConnection) throws {
        for holder in holders { try release(holder, connection) }
    }

    private func release(_ holder: String, _ connection: any SQLConnection) throws {
        let place = "WHERE environment_id = ? AND campaign_id = ? AND holder = ?"
        let last = try connection.execute("DELETE FROM ad_holds \(place) AND taken <= 1", key(holder))
        guard last == 0 else { return }
        try connection.execute("UPDATE ad_holds SET taken = taken - 1 \(place) AND taken > 0", key(holder))
    }

    private func key(_ holder: String) -> [SQLValue] {
        [.id(environmentID), .id(campaignID), .text(holder)]
    }
}

extension AdImpression {
    /// The part of the campaign's capacity that network and user hold with the impression; `nil` for none.
    var hold: AdHold? {
        isHeld ? AdHold(environmentID, campaignID, network: network, userID: userID) : nil
    }
}
