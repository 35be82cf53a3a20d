import InlaySQL
import NIOConcurrencyHelpers

/// Counters in memory whose sums are written from time to time, so that counting needs no commit.
///
/// A crash loses counts that were not written yet. Counts of a failed write are kept for the next one.
final class AdCounts<Name: Hashable & Sendable>: Sendable {
    private let counts = NIOLockedValueBox<[Name: Int]>([:])
    private let lastWrite = NIOLockedValueBox<Task<Void, any Error>?>(nil)

    /// Adds one to the count of the name.
    func add(_ name: Name) { counts.withLockedValue { $0[name, default: 0] += 1 } }

    /// Writes the counts since the last write in one transaction. Waits for writes that began before.
    func write(
        to database: any SQLDatabase,
        _ write: @escaping @Sendable (Name, Int, any SQLConnection) throws -> Void
    ) async throws {
        let task = lastWrite.withLockedValue { lastWrite in
            // Ends when the sums are written.
            let task = Task { [before = lastWrite] in
                _ = await before?.result
                try await writeNow(to: database, write)
            }
            lastWrite = task
            return task
        }
        try await task.value
    }

    private func writeNow(
        to database: any SQLDatabase,
        _ write: @escaping @Sendable (Name, Int, any SQLConnection) throws -> Void
    ) async throws {
        let taken = counts.withLockedValue { counts in
            defer { counts = [:] }
            return counts
        }
        guard !taken.isEmpty else { return }
        do {
            try await database.write { connection in
                for (name, times) in taken { try write(name, times, connection) }
            }
        } catch {
            counts.withLockedValue { counts in counts.merge(taken) { $0 + $1 } }
            throw error
        }
    }
}
