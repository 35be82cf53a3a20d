import InlaySQL
import NIOConcurrencyHelpers

/// Counts in memory and writes the sums now and then: what is counted costs no commit.
///
/// A crash loses what was not written yet; what could not be written is counted on.
final class AdCounts<Name: Hashable & Sendable>: Sendable {
    private let counts = NIOLockedValueBox<[Name: Int]>([:])
    private let last = NIOLockedValueBox<Task<Void, any Error>?>(nil)

    /// One more.
    func add(_ name: Name) { counts.withLockedValue { $0[name, default: 0] += 1 } }

    /// Writes what was counted since the last time, in one transaction; what others are writing is written by then.
    func write(
        to database: any SQLDatabase,
        _ write: @escaping @Sendable (Name, Int, any SQLConnection) throws -> Void
    ) async throws {
        let task = last.withLockedValue { last in
            // Ends when the sums are written.
            let task = Task { [before = last] in
                _ = await before?.result
                try await writeNow(to: database, write)
            }
            last = task
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
