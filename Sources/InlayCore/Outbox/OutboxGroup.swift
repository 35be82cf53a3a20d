import GRDB

/// Items that share one transaction. Lives on the database's queue only.
final class OutboxGroup {
    private struct Change {
        var count = 0
        var bytes = 0
    }

    private let entries: [OutboxWriter.Entry]
    private let gauges: OutboxGauges
    // Differences and not sums: deliveries change the gauges at the same time.
    private var changes: [String: Change] = [:]
    /// By entry, why it alone was not written.
    private(set) var failures: [(any Error)?]
    /// By lane, what had to go to make room.
    private(set) var dropped: [String: [OutboxItem]] = [:]

    init(entries: [OutboxWriter.Entry], gauges: OutboxGauges) {
        self.entries = entries
        self.gauges = gauges
        failures = Array(repeating: nil, count: entries.count)
    }

    /// Whether SQLite's own transaction around a statement is enough; opening one costs two more.
    var isOneStatement: Bool {
        guard entries.count == 1, let entry = entries.first, entry.with == nil else { return false }
        return gauges.withLock { $0[entry.lane]?.lane.maximumBytes == nil }
    }

    func write(_ database: Database) throws {
        for index in entries.indices {
            let entry = entries[index]
            if changes[entry.lane] == nil {
                try gauges.withLock { try $0[entry.lane]?.load(database) }
                changes[entry.lane] = Change()
            }
            try insert(index, database)
            guard failures[index] == nil else { continue }
            changes[entry.lane]?.count += 1
            changes[entry.lane]?.bytes += entry.body.count
        }
        for lane in changes.keys { try makeRoom(lane, database) }
    }

    /// After the commit: moves the gauges; the lanes that need more attention than they have.
    func settle() -> [String] {
        gauges.withLock { gauges in
            changes.compactMap { lane, change in
                guard var gauge = gauges[lane] else { return nil }
                gauge.count += change.count
                gauge.bytes += change.bytes
                defer { gauges[lane] = gauge }
                guard gauge.needed > gauge.attention else { return nil }
                gauge.attention = gauge.needed
                return lane
            }
        }
    }

    private func insert(_ index: Int, _ database: Database) throws {
        let entry = entries[index]
        guard let with = entry.with else { return try OutboxTable.insert(entry, into: database) }
        // What the feature writes along may fail for reasons of its own; that must not undo the others.
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

    private func makeRoom(_ lane: String, _ database: Database) throws {
        guard let gauge = gauges.withLock({ $0[lane] }), let most = gauge.lane.maximumBytes else { return }
        while let change = changes[lane], gauge.bytes + change.bytes > most {
            let excess = gauge.bytes + change.bytes - most
            let oldest = try OutboxTable.oldest(
                lane, limit: 100, after: gauge.inFlightThrough, database)
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
