import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The offer of a device to the account of a claim, within the claim's transaction.
///
/// A device changes its owner only when the owner has offered it and the other person, who has the device in hand, sets
/// it up.
struct DeviceOffer {
    private let claim: DeviceClaim
    private let account: EndAccount
    private let moment: Timestamp
    private let connection: any SQLConnection

    init(_ claim: DeviceClaim, to account: EndAccount, at moment: Timestamp, in connection: any SQLConnection)
    {
        self.claim = claim
        self.account = account
        self.moment = moment
        self.connection = connection
    }

    /// Transfers the device to the account; returns `nil` when there is no offer. The former owner loses all access:
    /// the claim replaces the credential, and open pairing tokens of the former owner end here.
    func take(for application: DeviceApplication) throws -> (
        deviceID: DeviceID, formerOwner: PairingStore.Owner
    )? {
        guard account.provenAt != nil, let device = try offeredDevice() else { return nil }
        let moved = try connection.execute(
            """
            UPDATE device_devices SET account_id = ?, application_id = ?, \(DeviceRow.columnsOfNewOwner),
                offered_to = NULL
            WHERE environment_id = ? AND id = ? AND account_id = ? AND offered_to = ?
            """,
            [
                .id(account.id), .id(application.id), .id(device.environmentID), .id(device.id),
                .id(device.accountID), .text(account.email),
            ])
        // The offer was withdrawn at the same time.
        guard moved == 1 else { return nil }
        let owner = PairingStore.Owner(environmentID: device.environmentID, accountID: device.accountID)
        try PairingStore.supersede(owner.environmentID, owner.accountID, at: moment, in: connection)
        try DeviceStore.increaseVersion(owner.environmentID, owner.accountID, at: moment, in: connection)
        if let former = try AccountStore.account(owner.environmentID, owner.accountID, in: connection) {
            try MailStore.add(
                .taken(application.name, device: device.name), to: former.email, for: application,
                at: moment, in: connection)
        }
        return (device.id, owner)
    }

    /// Returns the offered device with the claim's serial number; of several, the one whose credential the claim has,
    /// else the one that was offered last. A serial number alone proves nothing.
    private func offeredDevice() throws -> DeviceRow? {
        try connection.row(
            """
            SELECT * FROM device_devices
            WHERE environment_id = ? AND offered_to = ? AND model = ? AND serial = ? AND offered_at > ?
                AND state = 'active' AND account_id <> ?
            ORDER BY CASE WHEN credential_hash = ? THEN 0 ELSE 1 END, offered_at DESC, id LIMIT 1
            """,
            [
                .id(account.environmentID), .text(account.email), .text(claim.model), .text(claim.serial),
                .moment(moment - DeviceStore.offerLifetime), .id(account.id),
                .text(Secret.hash(claim.credential ?? "")),
            ]
        ).map(DeviceRow.init)
    }
}
