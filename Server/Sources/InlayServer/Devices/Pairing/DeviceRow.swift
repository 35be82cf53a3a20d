import InlaySQL
import InlayWire

/// A device as the server keeps it.
package struct DeviceRow: Hashable, Sendable, Identifiable {
    package let id: String
    package let environmentID: String
    /// Its owner.
    package let accountID: String
    /// The address that its owner offers it to.
    package let offeredTo: String?
    package let applicationID: String
    package let serial: String
    package let model: String
    package let firmware: String?
    package let name: String
    package let state: Device.State
    /// Why its last try before it was paired came to nothing.
    package let lastFailure: DeviceSetupFailure?
    package let pairedAt: Timestamp
    package let seenAt: Timestamp?

    /// The device as its owner sees it.
    package var wire: Device {
        Device(
            id: id, name: name, model: model, serial: serial, firmware: firmware, state: state,
            pairedAt: pairedAt, lastSeenAt: seenAt, offeredTo: offeredTo)
    }
}

extension DeviceRow {
    init(row: SQLRow) throws {
        let offeredTo = try row.optionalText("offered_to")
        self.init(
            id: try row.text("id"), environmentID: try row.text("environment_id"),
            accountID: try row.text("account_id"), offeredTo: offeredTo,
            applicationID: try row.text("application_id"),
            serial: try row.text("serial"), model: try row.text("model"),
            firmware: try row.optionalText("firmware"), name: try row.text("name"),
            state: offeredTo == nil ? Device.State(rawValue: try row.text("state")) : .transferring,
            lastFailure: try row.optionalText("last_failure").flatMap(DeviceSetupFailure.init(rawValue:)),
            pairedAt: try row.moment("paired_at"), seenAt: try row.optionalMoment("seen_at"))
    }
}
