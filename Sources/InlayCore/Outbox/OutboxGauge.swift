import GRDB

/// What is known of a lane without asking the database. Written under the lock of `OutboxGauges`.
struct OutboxGauge: Sendable {
    /// How soon someone looks after the lane.
    enum Attention: Int, Comparable, Sendable {
        case none, timed, urgent

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let lane: OutboxLane
    var isLoaded = false
    /// An earlier run left items, which have waited long enough.
    var hasLeftovers = false
    var count = 0
    var bytes = 0
    /// Items up to this one may be on their way to the server and must not be dropped.
    var inFlightThrough: Int64 = 0
    var attention = Attention.none

    /// What the items in the lane ask for.
    var needed: Attention {
        if count == 0 { return .none }
        if hasLeftovers || count >= max(lane.flushCount ?? lane.batchSize, 1) { return .urgent }
        guard let delay = lane.flushAfter else { return .none }
        return delay <= .zero ? .urgent : .timed
    }

    mutating func load(_ database: Database) throws {
        guard !isLoaded else { return }
        try OutboxTable.note(lane, database)
        (count, bytes) = try OutboxTable.load(lane.name, database)
        hasLeftovers = count > 0
        isLoaded = true
    }

    mutating func remove(_ items: [OutboxItem]) {
        count = max(0, count - items.count)
        bytes = max(0, bytes - items.reduce(0) { $0 + $1.body.count })
    }
}

/// The gauges of all lanes, reached from the database's queue and from the outbox.
typealias OutboxGauges = Locked<[String: OutboxGauge]>
