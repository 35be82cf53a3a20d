import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

extension AdsFeature: UserErasure {
    /// Erases counts of ads and rewards, and the user, address and agent of impressions. Bookings stay: they name no
    /// user.
    package func erase(_ environmentID: EnvironmentID, user userID: UserID) async throws {
        let database = services.database
        let mark = AdUser.mark(ofUser: userID, in: environmentID)
        let shown = try await database.read { connection in
            try connection.rows(
                Self.impressionsOfUser, [.id(environmentID), .id(userID)]
            ).map {
                (
                    id: try $0.id("id", as: AdImpressionID.self),
                    person: AdUser(text: try $0.text("person")).without(mark)
                )
            }
        }
        for start in stride(from: 0, to: shown.count, by: 500) {
            let piece = shown[start..<min(start + 500, shown.count)]
            _ = try await database.write { connection in
                for (id, person) in piece { try Self.forget(id, environmentID, person, in: connection) }
            }
        }
        _ = try await database.write { connection in
            // First what a view locks first.
            for (table, column) in [
                ("ad_rewarded_times", "person"), ("ad_frequency", "person"), ("ad_reward_counts", "person"),
                ("ad_holds", "holder"),
            ] {
                try connection.execute(
                    "DELETE FROM \(table) WHERE environment_id = ? AND \(column) = ?",
                    [.id(environmentID), .text(mark)])
            }
        }
    }

    /// `user_id <> ''` is the condition of the index, which has no impressions without a user.
    static let impressionsOfUser =
        "SELECT id, person FROM ad_impressions WHERE environment_id = ? AND user_id = ? AND user_id <> ''"

    /// The rest of an impression can still be booked, and given back by the device's own mark. A reward has no
    /// recipient left, and its URL names the user. The block of addresses stays: it names no user, and the capacity
    /// that it holds of a campaign is given back by it.
    private static func forget(
        _ impressionID: AdImpressionID, _ environmentID: EnvironmentID, _ person: AdUser,
        in connection: any SQLConnection
    ) throws {
        let this = "WHERE environment_id = ? AND id = ?"
        try connection.execute(
            "UPDATE ad_impressions SET user_id = '', person = ?, device_ip = '', user_agent = '' \(this)",
            [.text(person.text), .id(environmentID), .id(impressionID)])
        // By their ids: no index finds the notices of an impression. A loss says nothing of a device.
        func notice(_ kind: AdNotice.Kind) -> [SQLValue] {
            [.id(environmentID), .text(AdNotice.id(of: impressionID, kind))]
        }
        // In the order of their ids and before the job, as in `JobQueue.store`.
        for kind in [AdNotice.Kind.burl, .nurl] {
            try connection.execute(
                "UPDATE ad_notices SET device_ip = '', user_agent = '' \(this)", notice(kind))
        }
        try connection.execute("DELETE FROM ad_notices \(this)", notice(.reward))
        try JobQueue.remove(
            Job.ID(
                environmentID: environmentID, kind: AdNoticeJobs.kind,
                key: AdNotice.id(of: impressionID, .reward)), in: connection)
    }
}
