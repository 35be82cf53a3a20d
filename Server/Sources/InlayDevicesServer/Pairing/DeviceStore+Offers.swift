import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The transfer of a device to another owner: the owner offers it, and the other user sets it up.
///
/// Until then the device keeps its owner and works. So a mistyped address costs no owner a device, and no user gets a
/// device that they did not want.
extension DeviceStore {
    /// Offers a device to the user of an address, whether there is such an account or not. The offer replaces an
    /// earlier one of the same device.
    ///
    /// Throws `not-found`, `conflict` for a device that waits for its owner's proof, and `invalid-value` for the
    /// owner's own address.
    func offer(
        _ environmentID: EnvironmentID, _ id: DeviceID, of accountID: AccountID, to email: String,
        for application: DeviceApplication
    ) async throws {
        let address = try AccountStore.address(email)
        let moment = now()
        _ = try await database.write { connection in
            let next = try AccountStore.account(environmentID, address, in: connection)
            guard next?.id != accountID else {
                throw Problem.invalidValue("email", "The device is this account's already.")
            }
            let state = try connection.row(
                "SELECT state FROM device_devices WHERE environment_id = ? AND id = ? AND account_id = ?",
                [.id(environmentID), .id(id), .id(accountID)])
            guard let state else { throw Problem.notFound("device") }
            guard try state.text("state") == Device.State.active.rawValue else { throw Problem.deviceHeld }
            try Self.setOffer(environmentID, id, of: accountID, to: address.text, at: moment, in: connection)
            let isAllowed =
                try MailCode(
                    environmentID: environmentID, address: address, purpose: .offer, moment: moment,
                    connection: connection
                ).make() != nil
            try MailStore.add(
                next?.provenAt != nil && isAllowed ? .offered(application.name) : .nothing,
                to: address.text, for: application, at: moment, in: connection)
        }
    }

    /// Withdraws the offer of a device, if there is one; throws `not-found` for an unknown device.
    func withdrawOffer(_ environmentID: EnvironmentID, _ id: DeviceID, of accountID: AccountID) async throws {
        let moment = now()
        _ = try await database.write {
            try Self.setOffer(environmentID, id, of: accountID, to: nil, at: moment, in: $0)
        }
    }

    /// Ends offers that were not accepted within ``offerLifetime``.
    func endOffers() async throws {
        let moment = now()
        _ = try await database.write { connection in
            let rows = try connection.rows(
                """
                UPDATE device_devices SET offered_to = NULL, offered_at = NULL WHERE offered_at <= ?
                RETURNING environment_id, account_id
                """, [.moment(moment - Self.offerLifetime)])
            for row in rows {
                try Self.increaseVersion(
                    try row.id("environment_id"), try row.id("account_id"), at: moment, in: connection)
            }
        }
    }

    private static func setOffer(
        _ environmentID: EnvironmentID, _ id: DeviceID, of accountID: AccountID, to address: String?,
        at moment: Timestamp, in connection: any SQLConnection
    ) throws {
        let changed = try connection.execute(
            """
            UPDATE device_devices SET offered_to = ?, offered_at = ?
            WHERE environment_id = ? AND id = ? AND account_id = ?
            """,
            [
                SQLValue(address), .moment(address == nil ? nil : moment), .id(environmentID), .id(id),
                .id(accountID),
            ])
        guard changed == 1 else { throw Problem.notFound("device") }
        try increaseVersion(environmentID, accountID, at: moment, in: connection)
    }
}
