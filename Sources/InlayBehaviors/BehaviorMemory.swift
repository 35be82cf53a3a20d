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
    var lastPurge: Timestamp?
    private var lastMoment = Timestamp(microseconds: .min)

    /// A moment for an event that no other event of this run has: within a tick of the clock their order
    /// would be lost. A clock that was set back for longer than a second counts.
    mutating func moment(_ now: Timestamp) -> Timestamp {
        let isTie = now <= lastMoment && lastMoment < now + .seconds(1)
        lastMoment = isTie ? lastMoment + .microseconds(1) : now
        return lastMoment
    }
}
