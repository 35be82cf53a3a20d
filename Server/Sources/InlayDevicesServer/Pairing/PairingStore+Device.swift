import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The calls of devices, which send no headers: they are authenticated by the pairing token alone.
extension PairingStore {
    /// Stores that a device has read the token; returns the owner whose apps must be notified.
    func seen(_ token: String) async throws -> Owner {
        let moment = now(), hash = try Self.hash(token)
        let owner = try await database.write { connection -> Owner? in
            let row = try connection.row(
                """
                UPDATE device_pairings SET state = 'seen', seen_at = COALESCE(seen_at, ?)
                WHERE token_hash = ? AND state IN ('issued', 'seen') AND settled_at IS NULL AND expires_at > ?
                RETURNING environment_id, account_id
                """, [.moment(moment), .text(hash), .moment(moment)])
            return try row.map { try Self.changed($0, at: moment, in: connection) }
        }
        guard let owner else { throw try await refusal(hash, at: moment) }
        return owner
    }

    /// Stores the failure that a device reported; returns the owner whose apps must be notified.
    func failed(_ report: DeviceFailureReport) async throws -> Owner {
        let moment = now(), hash = try Self.hash(report.pairingToken)
        let owner = try await database.write { connection -> Owner? in
            let row = try connection.row(
                """
                UPDATE device_pairings SET state = 'rejected', reason = ?, settled_at = ?,
                    seen_at = COALESCE(seen_at, ?)
                WHERE token_hash = ? AND state IN ('issued', 'seen') AND settled_at IS NULL AND expires_at > ?
                RETURNING environment_id, account_id
                """,
                [
                    .text(report.reason.rawValue), .moment(moment), .moment(moment), .text(hash),
                    .moment(moment),
                ])
            return try row.map { try Self.changed($0, at: moment, in: connection) }
        }
        guard let owner else { throw try await refusal(hash, at: moment) }
        return owner
    }

    /// Pairs a device with the owner of a pairing token. Of several devices that claim at the same time, one succeeds.
    ///
    /// The same device may claim again while it has not used its credential, because the response may have been lost.
    func claim(_ claim: DeviceClaim) async throws -> DeviceClaiming.Claimed {
        try Self.check(claim)
        let moment = now(), hash = try Self.hash(claim.pairingToken)
        let claimed = try await database.write { connection in
            try DeviceClaiming(claim, hash, at: moment, in: connection).run()
        }
        guard let claimed else { throw try await refusal(hash, at: moment) }
        return claimed
    }

    private static func changed(
        _ row: SQLRow, at moment: Timestamp, in connection: any SQLConnection
    ) throws -> Owner {
        let owner = Owner(
            environmentID: try row.id("environment_id"), accountID: try row.id("account_id"))
        try DeviceStore.increaseVersion(owner.environmentID, owner.accountID, at: moment, in: connection)
        return owner
    }

    /// Returns the hash of a token; throws `pairing.refused` for a text that cannot be one, without a query.
    private static func hash(_ token: String) throws -> String {
        guard token.utf8.count == 22 else { throw Problem.pairingRefused("It is not a pairing token.") }
        return Secret.hash(token)
    }

    private func refusal(_ hash: String, at moment: Timestamp) async throws -> Problem {
        let row = try await database.read {
            try $0.row("SELECT * FROM device_pairings WHERE token_hash = ?", [.text(hash)]).map(
                PairingRow.init)
        }
        return switch row?.state(at: moment) {
        case nil: .pairingRefused("It is unknown.")
        case .expired: .pairingRefused("Its ten minutes are over.")
        case .superseded: .pairingRefused("A newer one took its place.")
        default: .pairingRefused("It was used.")
        }
    }

    private static func check(_ claim: DeviceClaim) throws {
        let texts = [("serial", claim.serial), ("model", claim.model), ("firmware", claim.firmware ?? "-")]
        for (field, text) in texts {
            let isPlain = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            guard (1...64).contains(text.count), text.utf8.count <= 256, isPlain else {
                throw Problem.invalidValue(field, "1 to 64 characters.")
            }
        }
    }
}
