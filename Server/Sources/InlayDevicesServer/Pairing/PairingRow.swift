import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A pairing as the server stores it.
struct PairingRow: Hashable, Sendable {
    let id: String
    let environmentID: EnvironmentID
    let accountID: AccountID
    let applicationID: ApplicationID
    let name: String?
    let state: PairingState
    let reason: DeviceSetupFailure?
    let deviceID: DeviceID?
    let isHeld: Bool
    let expiresAt: Timestamp
    let settledAt: Timestamp?

    /// Returns the state at a moment: a token whose life is over is expired even before its row says so.
    func state(at moment: Timestamp) -> PairingState {
        settledAt == nil && !state.isFinal && expiresAt <= moment ? .expired : state
    }
}

extension PairingRow {
    init(row: SQLRow) throws {
        self.init(
            id: try row.text("id"), environmentID: try row.id("environment_id"),
            accountID: try row.id("account_id"), applicationID: try row.id("application_id"),
            name: try row.optionalText("name"),
            state: PairingState(rawValue: try row.text("state")) ?? .rejected,
            reason: try row.optionalText("reason").map { DeviceSetupFailure(rawValue: $0) ?? .other },
            deviceID: try row.optionalID("device_id"), isHeld: try row.bool("is_held"),
            expiresAt: try row.moment("expires_at"), settledAt: try row.optionalMoment("settled_at"))
    }
}
