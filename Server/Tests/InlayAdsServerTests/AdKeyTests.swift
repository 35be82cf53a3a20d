import Crypto
import Foundation
import InlaySQL
import InlaySQLTesting
import Testing

@testable import InlayAdsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Tests of the signing keys of ads.
@Suite(.timeLimit(.minutes(3))) struct AdKeyTests {
    private let box = SecretBox(secret: SymmetricKey(size: .bits256))
    private let clock = TestClock()

    /// Returns a store that has read no key yet, like one in another process.
    private func store(_ database: any SQLDatabase) -> AdKeyStore {
        let clock = clock
        return AdKeyStore(database: database, box: box) { clock.now }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an existing key is found while another transaction writes`(_ engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let made = try await store(database).current("harbor", .tracker)
            let (isWriting, mayEnd) = (Latch(), DispatchSemaphore(value: 0))
            // Another write would have to wait until this one times out and returns `false`.
            async let wasFirst: Bool = database.write { _ in
                isWriting.open()
                return mayEnd.wait(timeout: .now() + 60) == .success
            }
            await isWriting.wait()
            let found = try await store(database).current("harbor", .tracker)
            mayEnd.signal()
            let isFoundFirst = try await wasFirst
            #expect(isFoundFirst && found.id == made.id)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a key that leaked is not used again by a request that read it before it was replaced`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let leaked = try await store(database).current("harbor", .tracker)
            let rotating = SharedValue<AdKeyStore?>(nil)
            let keys = store(
                OvertakenDatabase(database) {
                    try await rotating.value?.rotate("harbor", overlap: false)
                    // A request that comes after the change has a fresh cache.
                    _ = try await rotating.value?.current("harbor", .reward)
                })
            rotating.set(to: keys)
            _ = try await keys.current("harbor", .tracker)
            #expect(try await keys.current("harbor", .tracker).id != leaked.id)
            #expect(try await keys.key(leaked.id, .tracker) == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `concurrent requests for the first key get the same key`(_ engine: SQLEngine) async throws {
        try await TestDatabase.with(engine, migrations: JobsSchema.migrations + AdsSchema.migrations) {
            database in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 {
                    let keys = store(database)
                    group.addTask { try await keys.current("harbor", .reward).id }
                }
                return try await group.reduce(into: Set<String>()) { $0 = $0.union([$1]) }
            }
            #expect(ids.count == 1)
        }
    }
}
