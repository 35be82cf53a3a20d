import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The processing of a device's claim, within the caller's transaction.
struct DeviceClaiming {
    private let claim: DeviceClaim
    private let hash: String
    private let moment: Timestamp
    private let connection: any SQLConnection
    private let credential = OpaqueToken.make(OpaqueToken.device)

    /// The outcome of a claim.
    struct Claimed: Sendable {
        let credential: DeviceCredential
        let owner: PairingStore.Owner
        /// The owners that the device left.
        var formerOwners: Set<PairingStore.Owner> = []
    }

    init(_ claim: DeviceClaim, _ hash: String, at moment: Timestamp, in connection: any SQLConnection) {
        self.claim = claim
        self.hash = hash
        self.moment = moment
        self.connection = connection
    }

    /// Pairs the device and returns its credential; `nil` when the token is unknown, expired or used.
    func run() throws -> Claimed? {
        guard let pairing = try useToken() else { return try reissue() }
        let key: [SQLValue] = [.id(pairing.environmentID), .text(pairing.id)]
        let account = try AccountStore.account(pairing.environmentID, pairing.accountID, in: connection)
        let application = try ApplicationStore.application(
            pairing.environmentID, pairing.applicationID, in: connection)
        // These errors roll the transaction back, so that a refused claim does not use the token up.
        guard let account else { throw Problem.pairingRefused("The account was deleted.") }
        guard let application, application.revokedAt == nil else {
            throw Problem.pairingRefused("The application was revoked.")
        }
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
                .id(deviceID), SQLValue(claim.lastFailure?.rawValue),
            ] + key)
        let claimed = try claimed(deviceID, pairing, formerOwners)
        // The change of the account's version makes other claims for it wait, so that each counts the one before.
        if own == nil { try checkCount(pairing) }
        return claimed
    }

    private func checkCount(_ pairing: PairingRow) throws {
        let row = try connection.row(
            "SELECT COUNT(*) AS n FROM device_devices WHERE environment_id = ? AND account_id = ?",
            [.id(pairing.environmentID), .id(pairing.accountID)])
        guard try row?.int("n") ?? 0 <= DeviceStore.maximumDevices else {
            throw Problem.pairingRefused("The account has \(DeviceStore.maximumDevices) devices already.")
        }
    }

    /// Marks the token as used in one statement, so that only one of two concurrent claims succeeds.
    private func useToken() throws -> PairingRow? {
        try connection.row(
            """
            UPDATE device_pairings SET settled_at = ?, seen_at = COALESCE(seen_at, ?)
            WHERE token_hash = ? AND state IN ('issued', 'seen') AND settled_at IS NULL AND expires_at > ?
            RETURNING *
            """, [.moment(moment), .moment(moment), .text(hash), .moment(moment)]
        ).map(PairingRow.init)
    }

    /// Issues another credential to the device that used this token and never used its first credential, because the
    /// response may have been lost.
    private func reissue() throws -> Claimed? {
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
            [.text(Secret.hash(credential)), .id(row.environmentID), .id(deviceID)])
        return try claimed(deviceID, row)
    }

    private func claimed(
        _ deviceID: DeviceID, _ pairing: PairingRow, _ formerOwners: Set<PairingStore.Owner> = []
    ) throws -> Claimed {
        try DeviceStore.increaseVersion(pairing.environmentID, pairing.accountID, at: moment, in: connection)
        return Claimed(
            credential: DeviceCredential(deviceID: deviceID.rawValue, credential: credential),
            owner: .init(environmentID: pairing.environmentID, accountID: pairing.accountID),
            formerOwners: formerOwners)
    }

    /// Returns the id of the device that this account already has with this serial number.
    ///
    /// A serial number is no proof: a device leaves another account only with its credential from there, or by an offer
    /// of its owner.
    private func ownDevice(_ pairing: PairingRow) throws -> DeviceID? {
        try connection.row(
            """
            SELECT id FROM device_devices
            WHERE environment_id = ? AND model = ? AND serial = ? AND account_id = ?
            """,
            [
                .id(pairing.environmentID), .text(claim.model), .text(claim.serial),
                .id(pairing.accountID),
            ]
        )?.id("id")
    }

    private func pair(_ id: DeviceID, _ pairing: PairingRow, _ state: Device.State) throws {
        try connection.update(
            "device_devices",
            set: [
                "state": .text(state.rawValue), "credential_hash": .text(Secret.hash(credential)),
                "pairing_id": .text(pairing.id), "application_id": .id(pairing.applicationID),
                "firmware": SQLValue(claim.firmware),
                "last_failure": SQLValue(claim.lastFailure?.rawValue), "paired_at": .moment(moment),
                "seen_at": nil, "offered_to": nil, "offered_at": nil,
            ], where: ["environment_id": .id(pairing.environmentID), "id": .id(id)])
        guard let name = pairing.name else { return }
        try connection.update(
            "device_devices", set: ["name": .text(name)],
            where: ["environment_id": .id(pairing.environmentID), "id": .id(id)])
    }

    private func leaveFormerOwner(_ pairing: PairingRow) throws -> Set<PairingStore.Owner> {
        guard let old = claim.credential, OpaqueToken.isWellFormed(old, OpaqueToken.device) else { return [] }
        let rows = try connection.rows(
            """
            DELETE FROM device_devices WHERE environment_id = ? AND credential_hash = ? AND account_id <> ?
            RETURNING account_id
            """, [.id(pairing.environmentID), .text(Secret.hash(old)), .id(pairing.accountID)])
        let owners = Set(
            try rows.map {
                PairingStore.Owner(
                    environmentID: pairing.environmentID, accountID: try $0.id("account_id"))
            })
        for owner in owners {
            try DeviceStore.increaseVersion(owner.environmentID, owner.accountID, at: moment, in: connection)
        }
        return owners
    }

    private func insert(_ pairing: PairingRow) throws -> DeviceID {
        let id = DeviceID(Secret.id("dev_"))
        try connection.execute(
            """
            INSERT INTO device_devices (environment_id, id, account_id, application_id, serial, model, name,
                state, paired_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'active', ?)
            """,
            [
                .id(pairing.environmentID), .id(id), .id(pairing.accountID),
                .id(pairing.applicationID), .text(claim.serial), .text(claim.model), .text(claim.model),
                .moment(moment),
            ])
        return id
    }
}
