import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A device as the server stores it.
package struct DeviceRow: Hashable, Sendable, Identifiable {
    package let id: DeviceID
    package let environmentID: EnvironmentID
    /// The account of the device's owner.
    package let accountID: AccountID
    /// The mail address to which the owner offers the device; `nil` when there is no offer.
    package let offeredTo: String?
    package let applicationID: ApplicationID
    package let serial: String
    package let model: String
    package let firmware: String?
    package let name: String
    package let state: Device.State
    /// The reason why the last set-up attempt before the pairing failed.
    package let lastFailure: DeviceSetupFailure?
    package let pairedAt: Timestamp
    package let seenAt: Timestamp?

    /// The device as its owner sees it.
    package var wire: Device {
        Device(
            id: id.rawValue, name: name, model: model, serial: serial, firmware: firmware, state: state,
            pairedAt: pairedAt, lastSeenAt: seenAt, offeredTo: offeredTo)
    }
}

extension DeviceRow {
    /// The assignments of the `UPDATE` that gives the device to a new owner: they reset the columns that the former
    /// owner could write.
    static let columnsOfNewOwner = "name = model"

    init(row: SQLRow) throws {
        let offeredTo = try row.optionalText("offered_to")
        self.init(
            id: try row.id("id"), environmentID: try row.id("environment_id"),
            accountID: try row.id("account_id"), offeredTo: offeredTo,
            applicationID: try row.id("application_id"),
            serial: try row.text("serial"), model: try row.text("model"),
            firmware: try row.optionalText("firmware"), name: try row.text("name"),
            state: offeredTo == nil ? Device.State(rawValue: try row.text("state")) : .transferring,
            lastFailure: try row.optionalText("last_failure").flatMap(DeviceSetupFailure.init(rawValue:)),
            pairedAt: try row.moment("paired_at"), seenAt: try row.optionalMoment("seen_at"))
    }
}

/// The id of a device; unique within an environment.
package struct DeviceID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
