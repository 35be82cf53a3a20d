import InlayWire

/// How many items of a group were given up, by reason.
struct OutboxLosses {
    private(set) var counts: [String: Int] = [:]

    init(_ outcomes: [OutboxOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .accepted: break
            case .refused(_, let problem): counts["refused: \(problem.code.rawValue)", default: 0] += 1
            case .dropped(_, let reason): counts[reason.rawValue, default: 0] += 1
            }
        }
    }
}
