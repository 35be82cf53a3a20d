import InlaySQL
import InlayWire

extension AdsFeature: UserErasure {
    /// Counts of ads and rewards, and who, where and with what an ad was seen; what was booked stays, it names nobody.
    package func erase(_ environmentID: String, user userID: String) async throws {
        let database = services.database
        let mark = AdPerson.mark(ofUser: userID, in: environmentID)
        let shown = try await database.read { connection in
            try connection.rows(
                Self.impressionsOfUser, [.text(environmentID), .text(userID)]
            ).map { (id: try $0.text("id"), person: AdPerson(text: try $0.text("person")).without(mark)) }
        }
        for start in stride(from: 0, to: shown.count, by: 500) {
            let piece = shown[start..<min(start + 500, shown.count)]
            _ = try await database.write { connection in
                for (id, person) in piece { try Self.forget(id, environmentID, person, in: connection) }
            }
        }
        _ = try await database.write { connection in
            for (table, column) in [
                ("ad_frequency", "person"), ("ad_reward_counts", "person"), ("ad_holds", "holder"),
            ] {
                try connection.execute(
                    "DELETE FROM \(table) WHERE environment_id = ? AND \(column) = ?",
                    [.text(environmentID), .text(mark)])
            }
        }
    }

    /// Names what its index is for: impressions of nobody are not in it.
    static let impressionsOfUser =
        "SELECT id, person FROM ad_impressions WHERE environment_id = ? AND user_id = ? AND user_id <> ''"

    /// What is left of an impression can still be booked, and given back by the device's own mark. A reward has nobody
    /// left who could get it, and its address names the user. The block of addresses stays: it names nobody, and what
    /// it holds of a campaign is given back by it.
    private static func forget(
        _ impressionID: String, _ environmentID: String, _ person: AdPerson, in connection: any SQLConnection
    ) throws {
        let this = "WHERE environment_id = ? AND id = ?"
        try connection.execute(
            "UPDATE ad_impressions SET user_id = '', person = ?, device_ip = '', user_agent = '' \(this)",
            [.text(person.text), .text(environmentID), .text(impressionID)])
        // By their ids: no index finds the notices of an impression. A loss says nothing of a device.
        func notice(_ kind: AdNotice.Kind) -> [SQLValue] {
            [.text(environmentID), .text(AdNotice.id(of: impressionID, kind))]
        }
        try connection.execute("DELETE FROM ad_notices \(this)", notice(.reward))
        for kind in [AdNotice.Kind.nurl, .burl] {
            try connection.execute(
                "UPDATE ad_notices SET device_ip = '', user_agent = '' \(this)", notice(kind))
        }
    }
}
