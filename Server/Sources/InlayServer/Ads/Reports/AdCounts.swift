import InlaySQL
import NIOConcurrencyHelpers

/// Counts in memory and writes the sums now and then: what is counted costs no commit.
///
/// A crash loses what was not written yet; what could not be written is counted on.
final class AdCounts<Name: Hashable & Sendable>: Sendable {
    private let counts = NIOLockedValueBox<[Name: Int]>([:])

    /// One more.
    func add(_ name: Name) { counts.withLockedValue { $0[name, default: 0] += 1 } }

    /// Writes what was counted since the last time, in one transaction.
    func write(
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
