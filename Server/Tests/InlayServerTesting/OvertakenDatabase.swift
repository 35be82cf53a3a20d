import InlaySQL
import NIOConcurrencyHelpers

/// A database that calls a test's closure after one of its reads: another request that comes between the read and
/// the write that depends on it.
struct OvertakenDatabase: ForwardingDatabase {
    let base: any SQLDatabase
    private let number: Int
    private let step: @Sendable () async throws -> Void
    private let reads = NIOLockedValueBox(0)

    /// Calls the closure once, after the read with this number; the first one is 1.
    init(
        _ database: any SQLDatabase, afterRead number: Int = 1,
        _ step: @escaping @Sendable () async throws -> Void
    ) {
        base = database
        self.number = number
        self.step = step
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        let result = try await base.read(body)
        let count = reads.withLockedValue { count in
            count += 1
            return count
        }
        if count == number { try await step() }
        return result
    }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> T) async throws -> T {
        try await base.write(body)
    }

    func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }
    var forAnalytics: any SQLDatabase { self }
}
