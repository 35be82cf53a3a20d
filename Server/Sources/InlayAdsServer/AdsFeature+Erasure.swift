import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension AdsFeature: UserErasure {
    /// Deletes the user's counts of ads and rewards, and removes the user, address and user agent from impressions. The
    /// ledger stays: it names no user.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        let database = services.database
        let hash = AdUser.hash(ofUser: userID, in: environmentID)
        let shown = try await database.read { connection in
            try connection.rows(
                Self.impressionsOfUser, [.id(environmentID), .id(userID)]
            ).map {
                (
                    id: try $0.id("id", as: AdImpressionID.self),
                    user: AdUser(text: try $0.text("person")).without(hash)
                )
            }
        }
        for start in stride(from: 0, to: shown.count, by: 500) {
            let batch = shown[start..<min(start + 500, shown.count)]
            _ = try await database.write { connection in
                for (id, user) in batch { try Self.forget(id, environmentID, user, in: connection) }
            }
        }
        _ = try await database.write { connection in
            // In the order in which bookings lock these tables, so that the two cannot deadlock.
            for (table, column) in [
                ("ad_rewarded_times", "person"), ("ad_frequency", "person"), ("ad_reward_counts", "person"),
                ("ad_holds", "holder"),
            ] {
                try connection.execute(
                    "DELETE FROM \(table) WHERE environment_id = ? AND \(column) = ?",
                    [.id(environmentID), .text(hash)])
            }
        }
    }

    /// `user_id <> ''` repeats the condition of the partial index, so that the database can use it.
    static let impressionsOfUser =
        "SELECT id, person FROM ad_impressions WHERE environment_id = ? AND user_id = ? AND user_id <> ''"

    /// Removes the user from an impression. Its events can still be booked, and its frequency cap can be given back by
    /// the hash of the advertising id. The notice of a reward is deleted, because its URL names the user. The network
    /// stays: it names no user, and is needed to give back the capacity that it holds of a campaign.
    private static func forget(
        _ impressionID: AdImpressionID, _ environmentID: EnvironmentID, _ user: AdUser,
        in connection: any SQLConnection
    ) throws {
        let filter = "WHERE environment_id = ? AND id = ?"
        try connection.execute(
            "UPDATE ad_impressions SET user_id = '', person = ?, device_ip = '', user_agent = '' \(filter)",
            [.text(user.text), .id(environmentID), .id(impressionID)])
        // Found by id, because no index finds the notices of an impression. Loss notices have no data of a device.
        func notice(_ kind: AdNotice.Kind) -> [SQLValue] {
            [.id(environmentID), .text(AdNotice.id(of: impressionID, kind))]
        }
        // Locked in the order of their ids and before the job, as in `JobQueue.store`.
        for kind in [AdNotice.Kind.burl, .nurl] {
            try connection.execute(
                "UPDATE ad_notices SET device_ip = '', user_agent = '' \(filter)", notice(kind))
        }
        try connection.execute("DELETE FROM ad_notices \(filter)", notice(.reward))
        try JobQueue.remove(
            Job.ID(
                environmentID: environmentID, kind: AdNoticeJobs.kind,
                key: AdNotice.id(of: impressionID, .reward)), in: connection)
    }
}
