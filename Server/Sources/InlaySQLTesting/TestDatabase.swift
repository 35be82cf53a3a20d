import Foundation
public import InlaySQL

/// Empty databases of both engines for tests, each removed when its body ends.
///
/// PostgreSQL's URL comes from `INLAY_TEST_POSTGRES`, which `Scripts/postgres run -- swift test` sets.
public enum TestDatabase {
    /// Opens and migrates a new database, runs the body, then closes and removes the database.
    public static func with<R>(
        _ engine: SQLEngine, migrations: [SQLMigration] = [], _ body: (any SQLDatabase) async throws -> R
    ) async throws -> R {
        try await withURL(engine) { url in
            let database = try await SQLDatabaseURL.open(url)
            return try await finally {
                try await database.migrate(migrations)
                return try await body(database)
            } then: {
                database.close()
            }
        }
    }

    /// Calls the body with the URL of a new database that is not open yet.
    public static func withURL<R>(_ engine: SQLEngine, _ body: (String) async throws -> R) async throws -> R {
        switch engine {
        case .sqlite: try await withFolder { try await body("sqlite:\($0)/test.sqlite") }
        case .postgresql: try await withPostgres(body)
        }
    }

    /// Calls the body with the path of a new folder, which is removed afterwards.
    public static func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    private static func withPostgres<R>(_ body: (String) async throws -> R) async throws -> R {
        guard let server = ProcessInfo.processInfo.environment["INLAY_TEST_POSTGRES"],
            var address = URLComponents(string: server)
        else { throw TestDatabaseError.noPostgres }
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        try await onThread { try PostgresAdmin.run("CREATE DATABASE \(name) TEMPLATE template0", at: server) }
        address.path = "/" + name
        let url = address.string ?? server
        return try await finally {
            try await body(url)
        } then: {
            try PostgresAdmin.run("DROP DATABASE \(name) WITH (FORCE)", at: server)
        }
    }

    /// Runs the body, then the clean-up, whose errors are ignored.
    private static func finally<R>(
        _ body: () async throws -> R, then cleanUp: @escaping @Sendable () throws -> Void
    ) async throws -> R {
        let result: R
        do {
            result = try await body()
        } catch {
            try? await onThread(cleanUp)
            throw error
        }
        try? await onThread(cleanUp)
        return result
    }

    /// Runs a blocking body on a thread of its own, because concurrent tests share few cooperative threads.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { done in
            Thread { done.resume(with: Result { try body() }) }.start()
        }
    }
}

/// The error of a test without a database. Such a test fails, because a skipped test proves nothing.
public enum TestDatabaseError: Error, CustomStringConvertible {
    /// `INLAY_TEST_POSTGRES` is not set.
    case noPostgres

    public var description: String {
        "INLAY_TEST_POSTGRES is not set. Run the tests with: Scripts/postgres run -- swift test --package-path Server"
    }
}
