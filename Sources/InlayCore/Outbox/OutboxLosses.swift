@_spi(Inlay) import InlayWire

/// The numbers of items of a group that were given up, by reason.
struct OutboxLosses {
    private var counts: [String: Int] = [:]

    init(_ outcomes: [OutboxOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .accepted: break
            case .refused(_, let problem): counts["refused: \(problem.code.rawValue)", default: 0] += 1
            case .dropped(_, let reason): counts[reason.rawValue, default: 0] += 1
            }
        }
    }

    /// The number of items that a store lost when it began anew.
    init(lost count: Int) { counts[DropReason.store.rawValue] = count }

    /// Reports the losses to the log and to the session's observers, once for each reason.
    func announce(lane: String, _ session: SessionCore) {
        for (reason, count) in counts {
            session.log.operation("outbox \(lane): gave up \(count) (\(reason))")
            session.events.publish(
                SessionEvent(
                    .outboxDropped, time: session.serverClock.now(),
                    properties: [
                        "lane": .string(lane), "count": .integer(Int64(count)), "reason": .string(reason),
                    ]))
        }
    }
}
