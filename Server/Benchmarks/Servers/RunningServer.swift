import Foundation
import InlaySQL
import InlayServerCore

/// The server as a child process with a database of its own.
final class RunningServer {
    let access: ServerAccess
    private let child: ChildProcess
    private let postgres: BenchPostgres?
    private let folder: URL

    /// Starts a server on SQLite, or on a PostgreSQL of its own, which the script starts with these settings.
    init(
        _ seed: SeedOptions = SeedOptions(), postgres script: String? = nil, settings: [String] = []
    ) async throws {
        var postgres: BenchPostgres?
        if let script { postgres = try await BenchPostgres(script: script, settings: settings) }
        self.postgres = postgres
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-bench-\(UUID().uuidString)")
        let url = postgres?.url ?? "sqlite:\(folder.path)/bench.sqlite"
        child = try ChildProcess.startSelf(["server", "--database", url] + seed.arguments)
        let line = try await child.line(after: "READY ")
        access = try JSONDecoder().decode(ServerAccess.self, from: Data(line.utf8))
    }

    /// The path of the SQLite file, which exists until ``stop()``.
    var databasePath: String { folder.appendingPathComponent("bench.sqlite").path }

    /// The URL of the database.
    var databaseURL: String { postgres?.url ?? "sqlite:\(databasePath)" }

    var memoryBytes: Double { ProcessMemory.bytes(of: child.id) }

    /// Returns the number of rows in a table.
    func count(_ table: String) async throws -> Int {
        let database = try await SQLDatabaseURL.open(databaseURL)
        defer { database.close() }
        return try await database.read { try $0.row("SELECT COUNT(*) AS n FROM \(table)")?.int("n") ?? 0 }
    }

    /// Ends the process and keeps its files.
    func halt() { child.stop() }

    func stop() {
        child.stop()
        postgres?.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
