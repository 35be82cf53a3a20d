import GRDB

/// The known state of a lane, kept so that the database need not be read. Written under the lock of `OutboxStatistics`.
struct OutboxLaneStatistics: Sendable {
    /// The urgency of a lane's next flush.
    enum Urgency: Int, Comparable, Sendable {
        case none, timed, urgent

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let lane: OutboxLane
    var isLoaded = false
    /// Whether an earlier run left items, which have waited long enough.
    var hasLeftovers = false
    var count = 0
    var bytes = 0
    /// Items up to this one may be on their way to the server and must not be dropped.
    var inFlightThrough: Int64 = 0
    var urgency = Urgency.none

    /// The urgency that the items in the lane require.
    var needed: Urgency {
        if count == 0 { return .none }
        if hasLeftovers || count >= max(lane.flushCount ?? lane.batchSize, 1) { return .urgent }
        guard let delay = lane.flushAfter else { return .none }
        return delay <= .zero ? .urgent : .timed
    }

    mutating func load(_ database: Database) throws {
        guard !isLoaded else { return }
        try OutboxTable.storePath(of: lane, database)
        (count, bytes) = try OutboxTable.size(of: lane.name, database)
        hasLeftovers = count > 0
        isLoaded = true
    }

    /// Reads the lane from a store that began anew; returns the number of items that were lost.
    mutating func reload(_ database: Database) throws -> Int {
        let known = count
        (isLoaded, inFlightThrough) = (false, 0)
        try load(database)
        return max(0, known - count)
    }

    mutating func remove(_ items: [OutboxItem]) {
        count = max(0, count - items.count)
        bytes = max(0, bytes - items.reduce(0) { $0 + $1.body.count })
    }
}

/// The statistics of all lanes, reached from the database's queue and from the outbox.
typealias OutboxStatistics = Locked<[String: OutboxLaneStatistics]>
