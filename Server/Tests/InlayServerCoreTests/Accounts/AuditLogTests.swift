import NIOConcurrencyHelpers
@_spi(Inlay) import InlayWire
import Testing

@testable import InlaySQL

@testable import InlayServerCore
@testable import InlayServerTesting

/// A change and its line in the audit log are one transaction.
@Suite(.timeLimit(.minutes(3))) struct AuditLogTests {
    private struct Refused: Error {}

    private func rename(_ app: TestApp, to name: String) async throws {
        try await app.services.audit.record(
            "renamed environment", subject: name, by: "ada", environmentID: "harbor", detail: nil
        ) { try await app.services.environments.rename("harbor", to: name) }
    }

    private func lines(_ app: TestApp) async throws -> [String] {
        try await app.services.audit.entries("harbor").map(\.subject)
    }

    @Test(arguments: SQLEngine.allCases)
    func `a change and its line are stored together, and neither without the other`(
        _ engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine) { app in
            _ = try await app.services.environments.create(id: "harbor", name: "Harbor")
            try await rename(app, to: "Pier")
            #expect(try await lines(app) == ["Pier"])
            // The store refuses the name.
            await #expect(throws: Problem.self) { try await rename(app, to: "") }
            #expect(try await lines(app) == ["Pier"])
            _ = try await app.services.database.write { try $0.execute("DROP TABLE audit_log") }
            await #expect(throws: SQLError.self) { try await rename(app, to: "Quay") }
            #expect(try await app.services.environments.environment("harbor")?.name == "Pier")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an entry is stored with the first successful write, in every lane`(_ engine: SQLEngine) async throws
    {
        try await TestApp.run(engine) { app in
            let cards = app.services.inLane("cards").database
            try await app.services.audit.record(
                "changed", subject: "theme", by: "ada", environmentID: "harbor", detail: nil
            ) {
                await #expect(throws: Refused.self) { try await cards.write { _ in throw Refused() } }
                #expect(try await lines(app).isEmpty)
                try await cards.write { _ in }
                #expect(try await lines(app) == ["theme"])
                try await cards.write { _ in }
            }
            #expect(try await lines(app) == ["theme"])
        }
    }

    @Test func `a change that stores nothing has its line, and a change that fails first has none`()
        async throws
    {
        try await TestApp.run { app in
            try await app.services.audit.record(
                "changed", subject: "same", by: "ada", environmentID: "harbor", detail: nil
            ) {}
            #expect(try await lines(app) == ["same"])
            await #expect(throws: Refused.self) {
                try await app.services.audit.record(
                    "changed", subject: "refused", by: "ada", environmentID: "harbor", detail: nil
                ) { throw Refused() }
            }
            #expect(try await lines(app) == ["same"])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a task that a change starts neither stores the entry nor stores it again`(
        _ engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine) { app in
            let (go, begin) = AsyncStream<Void>.makeStream()
            let database = app.services.database
            let late = try await app.services.audit.record(
                "changed", subject: "theme", by: "ada", environmentID: "harbor", detail: nil
            ) {
                try await Task { try await database.write { _ in } }.value
                #expect(try await lines(app).isEmpty)
                // The test lets the task write after the change, and waits for its end.
                let late = Task {
                    for await _ in go { break }
                    try await database.write { _ in }
                }
                try await database.write { _ in }
                #expect(try await lines(app) == ["theme"])
                return late
            }
            begin.yield()
            try await late.value
            #expect(try await lines(app) == ["theme"])
        }
    }

    /// A database whose first write is stored, but fails as if the connection broke before the answer.
    private struct UnknownCommit: ForwardingDatabase {
        let base: any SQLDatabase
        let isDue = NIOLockedValueBox(true)

        var forAnalytics: any SQLDatabase { base.forAnalytics }
        func lane(_ name: String, sharesCommits: Bool) -> any SQLDatabase { self }

        func write<T: Sendable>(
            _ body: @escaping @Sendable (any SQLConnection) throws -> T
        ) async throws -> T {
            let result = try await base.write(body)
            let fails = isDue.withLockedValue { isDue in
                defer { isDue = false }
                return isDue
            }
            if fails { throw SQLError(.commitUnknown, "The connection broke during a commit.") }
            return result
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a write that is repeated after a commit of unknown outcome adds its line once`(
        _ engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine) { app in
            let audited = try #require(app.services.database as? AuditedDatabase)
            let database = AuditedDatabase(UnknownCommit(base: audited.base))
            let audit = AuditLog(database: database, now: app.services.now)
            try await audit.record(
                "changed", subject: "theme", by: "ada", environmentID: "harbor", detail: nil
            ) {
                await #expect(throws: SQLError.self) { try await database.write { _ in } }
                #expect(try await lines(app) == ["theme"])
                try await database.write { _ in }
            }
            #expect(try await lines(app) == ["theme"])
        }
    }
}
