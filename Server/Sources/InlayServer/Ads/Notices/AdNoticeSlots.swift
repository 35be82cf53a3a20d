/// How many notices may be called at once: in all, and in each lane.
///
/// A call to somebody who does not answer lasts for seconds. So a lane has a share of the calls, and only a few of
/// them while nobody answers there.
struct AdNoticeSlots: Sendable {
    /// Calls under way at once, in all.
    static let most = 1_024
    /// Of these in one lane.
    static let mostOfLane = most / 8
    /// The same, where the last call got no answer: enough to notice that somebody is back.
    static let mostOfSilent = 16

    private static let mostKnown = 10_000
    private var underWay = 0
    private var lanes: [String: Int] = [:]
    private var silent: Set<String> = []

    /// How many more may be called.
    var room: Int { max(0, Self.most - underWay) }

    /// How many more may be called in a lane.
    func room(in lane: String) -> Int {
        let limit = silent.contains(lane) ? Self.mostOfSilent : Self.mostOfLane
        return max(0, min(room, limit - (lanes[lane] ?? 0)))
    }

    /// A call begins.
    mutating func enter(_ lane: String) {
        underWay += 1
        lanes[lane, default: 0] += 1
    }

    /// A call is over. Returns whether somebody has room now who had none.
    mutating func leave(_ lane: String, isSilent: Bool) -> Bool {
        let (allWereTaken, wasFull) = (room == 0, room(in: lane) == 0)
        underWay -= 1
        let rest = (lanes[lane] ?? 0) - 1
        lanes[lane] = rest > 0 ? rest : nil
        if isSilent {
            // Lanes that are gone stay in it. Who is still silent is in again after the next call.
            if silent.count >= Self.mostKnown { silent = [] }
            silent.insert(lane)
        } else {
            silent.remove(lane)
        }
        // Where all were taken, the room is another lane's even if this one has none.
        return allWereTaken || (wasFull && room(in: lane) > 0)
    }
}
