import Foundation

/// The server as a child process with a database of its own.
final class RunningServer {
    let access: ServerAccess
    private let child: ChildProcess
    private let folder: URL

    init(users: Int = 0, cards: Int = 0, bidders: [String] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-bench-\(UUID().uuidString)")
        child = try ChildProcess.again(
            [
                "server", "--database", "sqlite:\(folder.path)/bench.sqlite", "--users", "\(users)",
                "--cards", "\(cards)",
            ] + bidders.flatMap { ["--bidder", $0] })
        let line = try await child.line(after: "READY ")
        access = try JSONDecoder().decode(ServerAccess.self, from: Data(line.utf8))
    }

    /// The database's file, also after ``halt()``.
    var databasePath: String { folder.appendingPathComponent("bench.sqlite").path }

    var memoryBytes: Double { ProcessMemory.bytes(of: child.id) }

    /// Ends the process and keeps what it wrote.
    func halt() { child.stop() }

    func stop() {
        child.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}
