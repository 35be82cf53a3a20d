import GRDB

/// Items that share one transaction. Used on the database's queue only.
final class OutboxGroup {
    private struct Change {
        var count = 0
        var bytes = 0
    }

    private let entries: [OutboxWriter.Entry]
    private let statistics: OutboxStatistics
    // Differences and not sums: deliveries change the statistics at the same time.
    private var changes: [String: Change] = [:]
    /// The error of each entry that alone was not written; `nil` for the others.
    private(set) var failures: [(any Error)?]
    /// The items that were dropped to free space, by lane.
    private(set) var dropped: [String: [OutboxItem]] = [:]

    init(entries: [OutboxWriter.Entry], statistics: OutboxStatistics) {
        self.entries = entries
        self.statistics = statistics
        failures = Array(repeating: nil, count: entries.count)
    }

    /// Whether SQLite's implicit transaction is enough; an explicit one costs two more statements.
    var isOneStatement: Bool {
        guard entries.count == 1, let entry = entries.first, entry.with == nil else { return false }
        return statistics.withLock { $0[entry.lane]?.lane.maximumBytes == nil }
    }

    func write(_ database: Database) throws {
        for index in entries.indices {
            let entry = entries[index]
            if changes[entry.lane] == nil {
                try statistics.withLock { try $0[entry.lane]?.load(database) }
                changes[entry.lane] = Change()
            }
            try insert(index, database)
            guard failures[index] == nil else { continue }
            changes[entry.lane]?.count += 1
            changes[entry.lane]?.bytes += entry.body.count
        }
        for lane in changes.keys { try dropExcess(lane, database) }
    }

    /// Updates the statistics after the commit; returns the lanes whose urgency has grown.
    func settle() -> [String] {
        statistics.withLock { statistics in
            changes.compactMap { lane, change in
                guard var own = statistics[lane] else { return nil }
                own.count += change.count
                own.bytes += change.bytes
                defer { statistics[lane] = own }
                guard own.needed > own.urgency else { return nil }
                own.urgency = own.needed
                return lane
            }
        }
    }

    private func insert(_ index: Int, _ database: Database) throws {
        let entry = entries[index]
        guard let with = entry.with else { return try OutboxTable.insert(entry, into: database) }
        // A feature's own write in this transaction may fail; that must not undo the other entries.
        do {
            try database.inSavepoint {
                try OutboxTable.insert(entry, into: database)
                try with(database)
                return .commit
            }
        } catch {
            // Some errors, a full disk for one, end the whole transaction.
            guard database.isInsideTransaction else { throw error }
            failures[index] = error
        }
    }

    private func dropExcess(_ lane: String, _ database: Database) throws {
        guard let own = statistics.withLock({ $0[lane] }), let maximum = own.lane.maximumBytes else { return }
        while let change = changes[lane], own.bytes + change.bytes > maximum {
            let excess = own.bytes + change.bytes - maximum
            let oldest = try OutboxTable.oldest(
                lane, limit: 100, after: own.inFlightThrough, database)
            var (going, freed) = ([OutboxItem](), 0)
            for item in oldest where freed < excess {
                going.append(item)
                freed += item.body.count
            }
            guard !going.isEmpty else { return }
            try OutboxTable.delete(going, database)
            changes[lane]?.count -= going.count
            changes[lane]?.bytes -= freed
            dropped[lane, default: []] += going
        }
    }
}
