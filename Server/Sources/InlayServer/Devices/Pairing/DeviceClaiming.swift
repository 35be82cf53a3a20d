import InlaySQL
import InlayWire

/// One claim, within a transaction.
struct DeviceClaiming {
    private let claim: DeviceClaim
    private let hash: String
    private let moment: Timestamp
    private let connection: any SQLConnection
    private let credential = OpaqueToken.make(OpaqueToken.device)

    /// What a claim came to.
    struct Claimed: Sendable {
        let credential: DeviceCredential
        let owner: PairingStore.Owner
        /// Whom the device left.
        var formerOwners: Set<PairingStore.Owner> = []
    }

    init(_ claim: DeviceClaim, _ hash: String, at moment: Timestamp, in connection: any SQLConnection) {
        self.claim = claim
        self.hash = hash
        self.moment = moment
        self.connection = connection
    }

    /// The credential; `nil` for a token that does not count.
    func settle() throws -> Claimed? {
        guard let pairing = try take() else { return try again() }
        let key: [SQLValue] = [.text(pairing.environmentID), .text(pairing.id)]
        let account = try AccountStore.account(pairing.environmentID, pairing.accountID, in: connection)
        let application = try ApplicationStore.application(
            pairing.environmentID, pairing.applicationID, in: connection)
        guard let account, let application, application.revokedAt == nil else { return nil }
        let isHeld = account.provenAt == nil && !application.pairsUnproven
        let own = try ownDevice(pairing)
        let offer = DeviceOffer(claim, to: account, at: moment, in: connection)
        let taken = own == nil ? try offer.take(for: application) : nil
        let formerOwners = try leaveFormerOwner(pairing).union(taken.map { [$0.formerOwner] } ?? [])
        let deviceID = try own ?? taken?.deviceID ?? insert(pairing)
        try pair(deviceID, pairing, isHeld ? .held : .active)
        try connection.execute(
            """
            UPDATE device_pairings SET state = ?, is_held = ?, device_id = ?, reason = ?
            WHERE environment_id = ? AND id = ?
            """,
            [
                .text(isHeld ? PairingState.seen.rawValue : PairingState.paired.rawValue), .bool(isHeld),
                .text(deviceID), SQLValue(claim.lastFailure?.rawValue),
            ] + key)
        return try answer(deviceID, pairing, formerOwners)
    }

    /// Takes the token, in one statement: of two that come at once, one finds it taken.
    private func take() throws -> PairingRow? {
        try connection.row(
            """
            UPDATE device_pairings SET settled_at = ?, seen_at = COALESCE(seen_at, ?)
            WHERE token_hash = ? AND state IN ('issued', 'seen') AND settled_at IS NULL AND expires_at > ?
            RETURNING *
            """, [.moment(moment), .moment(moment), .text(hash), .moment(moment)]
        ).map(PairingRow.init)
    }

    /// The device that took the token asks again, because it never heard its credential: it gets another.
    private func again() throws -> Claimed? {
        let row = try connection.row(
            """
            SELECT p.* FROM device_pairings p
            JOIN device_devices d ON d.environment_id = p.environment_id AND d.id = p.device_id
            WHERE p.token_hash = ? AND p.expires_at > ? AND d.account_id = p.account_id AND d.pairing_id = p.id
                AND d.serial = ? AND d.model = ? AND d.seen_at IS NULL
            """, [.text(hash), .moment(moment), .text(claim.serial), .text(claim.model)]
        ).map(PairingRow.init)
        guard let row, let deviceID = row.deviceID else { return nil }
        try connection.execute(
            "UPDATE device_devices SET credential_hash = ? WHERE environment_id = ? AND id = ?",
            [.text(Secret.hash(credential)), .text(row.environmentID), .text(deviceID)])
        return try answer(deviceID, row)
    }

    private func answer(
        _ deviceID: String, _ pairing: PairingRow, _ formerOwners: Set<PairingStore.Owner> = []
    ) throws -> Claimed {
        try DeviceStore.bump(pairing.environmentID, pairing.accountID, at: moment, in: connection)
        return Claimed(
            credential: DeviceCredential(deviceID: deviceID, credential: credential),
            owner: .init(environmentID: pairing.environmentID, accountID: pairing.accountID),
            formerOwners: formerOwners)
    }

    /// The owner's own row of this device, from before.
    ///
    /// A serial number proves nothing, so it takes no device from another account; the credential that the
    /// device had there does, and an offer of its owner.
    private func ownDevice(_ pairing: PairingRow) throws -> String? {
        try connection.row(
            """
            SELECT id FROM device_devices
            WHERE environment_id = ? AND model = ? AND serial = ? AND account_id = ?
            """,
            [
                .text(pairing.environmentID), .text(claim.model), .text(claim.serial),
                .text(pairing.accountID),
            ]
        )?.text("id")
    }

    private func pair(_ id: String, _ pairing: PairingRow, _ state: Device.State) throws {
        try connection.execute(
            """
            UPDATE device_devices SET state = ?, credential_hash = ?, pairing_id = ?, firmware = ?,
                last_failure = ?, paired_at = ?, seen_at = NULL, offered_to = NULL, offered_at = NULL,
                name = COALESCE(?, name)
            WHERE environment_id = ? AND id = ?
            """,
            [
                .text(state.rawValue), .text(Secret.hash(credential)), .text(pairing.id),
                SQLValue(claim.firmware), SQLValue(claim.lastFailure?.rawValue), .moment(moment),
                SQLValue(pairing.name), .text(pairing.environmentID), .text(id),
            ])
    }

    private func leaveFormerOwner(_ pairing: PairingRow) throws -> Set<PairingStore.Owner> {
        guard let old = claim.credential, OpaqueToken.isWellFormed(old, OpaqueToken.device) else { return [] }
        let rows = try connection.rows(
            """
            DELETE FROM device_devices WHERE environment_id = ? AND credential_hash = ? AND account_id <> ?
            RETURNING account_id
            """, [.text(pairing.environmentID), .text(Secret.hash(old)), .text(pairing.accountID)])
        let owners = Set(
            try rows.map {
                PairingStore.Owner(
                    environmentID: pairing.environmentID, accountID: try $0.text("account_id"))
            })
        for owner in owners {
            try DeviceStore.bump(owner.environmentID, owner.accountID, at: moment, in: connection)
        }
        return owners
    }

    private func insert(_ pairing: PairingRow) throws -> String {
        let id = Secret.id("dev_")
        try connection.execute(
            """
            INSERT INTO device_devices (environment_id, id, account_id, application_id, serial, model, name,
                state, paired_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?)
            """,
            [
                .text(pairing.environmentID), .text(id), .text(pairing.accountID),
                .text(pairing.applicationID), .text(claim.serial), .text(claim.model), .text(claim.model),
                .moment(moment),
            ])
        return id
    }
}
