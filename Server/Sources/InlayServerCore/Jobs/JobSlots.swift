/// The numbers of jobs of a kind that may run at once: in all, and in each lane.
///
/// A job that waits for a peer that does not answer lasts for seconds. So a lane has a share, and only a small one
/// while its peer does not answer.
struct JobSlots: Sendable {
    private static let maximumRemembered = 10_000
    private let limits: JobLimits
    /// The number of jobs that run now.
    private(set) var running = 0
    private var lanes: [String: Int] = [:]
    private var unanswered: Set<String> = []

    init(_ limits: JobLimits) { self.limits = limits }

    /// The number of free slots.
    var freeCount: Int { max(0, limits.maximumRunning - running) }

    /// Returns the number of free slots of a lane.
    func freeCount(in lane: String) -> Int {
        let limit = unanswered.contains(lane) ? limits.maximumPerUnansweredLane : limits.maximumPerLane
        return max(0, min(freeCount, limit - (lanes[lane] ?? 0)))
    }

    /// Counts a job that begins.
    mutating func enter(_ lane: String) {
        running += 1
        lanes[lane, default: 0] += 1
    }

    /// Counts a job that has ended. Returns whether a lane has a free slot now that had none.
    mutating func leave(_ lane: String, isUnanswered: Bool) -> Bool {
        let (allWereTaken, wasFull) = (freeCount == 0, freeCount(in: lane) == 0)
        running -= 1
        let rest = (lanes[lane] ?? 0) - 1
        lanes[lane] = rest > 0 ? rest : nil
        if isUnanswered {
            // Lanes that are gone stay in the set. A lane that still gets no answer is added again after its next job.
            if unanswered.count >= Self.maximumRemembered { unanswered = [] }
            unanswered.insert(lane)
        } else {
            unanswered.remove(lane)
        }
        // If all slots were taken, another lane may use the free one, even if this lane may not.
        return allWereTaken || (wasFull && freeCount(in: lane) > 0)
    }
}
