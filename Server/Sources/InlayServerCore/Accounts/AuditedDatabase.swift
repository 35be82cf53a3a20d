import InlaySQL
import NIOConcurrencyHelpers

/// A database whose writes add the pending entry of the audit log in their own transaction.
///
/// The stores of all features write through it, so that none needs a parameter for the audit log.
struct AuditedDatabase: ForwardingDatabase {
    let base: any SQLDatabase

    init(_ base: any SQLDatabase) { self.base = base }

    var forAnalytics: any SQLDatabase { AuditedDatabase(base.forAnalytics) }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase {
        AuditedDatabase(base.lane(name, sharesCommits: sharesCommits))
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        guard let pending = PendingAuditEntry.current, let entry = pending.take() else {
            return try await base.write(body)
        }
        do {
            return try await base.write { connection in
                let result = try body(connection)
                try entry.insert(connection)
                return result
            }
        } catch {
            // Also after a commit of unknown outcome: a line that is stored already is not added again.
            pending.putBack()
            throw error
        }
    }
}

/// The entry of the audit log that the first write of a change adds.
///
/// Tasks that a change starts inherit the task-local value, but they are not the change: their writes may come after
/// it or fail unseen. So only the task that makes the change takes the entry.
final class PendingAuditEntry: Sendable {
    @TaskLocal static var current: PendingAuditEntry?

    private struct State {
        var entry: AuditLog.Entry?
        var isPending = true
    }

    private let state = NIOLockedValueBox(State())
    private let make: @Sendable () -> AuditLog.Entry
    private let task = PendingAuditEntry.currentTask

    /// Creates a pending entry. `make` runs when the first write takes the entry, so that its time is the change's.
    init(_ make: @escaping @Sendable () -> AuditLog.Entry) { self.make = make }

    /// Returns the entry to the one write that adds it; `nil` after that and in other tasks.
    func take() -> AuditLog.Entry? {
        // The change's task lives until the change ends, so no other task is mistaken for it.
        guard task == Self.currentTask else { return nil }
        let isTaken = state.withLockedValue { state in
            defer { state.isPending = false }
            return !state.isPending
        }
        if isTaken { return nil }
        if let entry = state.withLockedValue({ $0.entry }) { return entry }
        let entry = make()
        state.withLockedValue { $0.entry = entry }
        return entry
    }

    /// Makes the same entry pending again after a write that failed.
    func putBack() { state.withLockedValue { $0.isPending = true } }

    // The identity of the calling task. A task that it starts has another one, and so takes no entry of it.
    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
