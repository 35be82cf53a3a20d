import InlayWire

/// What an event needs and must not wait for.
struct BehaviorMemory: Sendable {
    /// The facts of the events now, and their row.
    struct Facts: Sendable {
        var identity: BehaviorIdentity
        var isTimed: Bool
        var row: Int64
    }

    var facts: Facts?
    var campaign = CampaignState()
    var identity = BehaviorIdentity()
    var deviceID = ""
    var isStarted = false
    var lastPurge: Timestamp?
}
