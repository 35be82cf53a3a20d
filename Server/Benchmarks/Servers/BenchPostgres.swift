/// A PostgreSQL server for one row, which confirms a commit after it is on disk, as SQLite does.
final class BenchPostgres {
    /// The URL of the database.
    let url: String
    private let child: ChildProcess

    /// Starts a server by the script `postgres`; `settings` are additional lines of its configuration.
    init(script: String, settings: [String] = []) async throws {
        let lines = ["fsync = on", "synchronous_commit = on", "full_page_writes = on"] + settings
        child = try ChildProcess(
            script, ["run", "--", "sh", "-c", #"echo "$INLAY_TEST_POSTGRES"; exec sleep 86400"#],
            environment: ["INLAY_POSTGRES_SETTINGS": lines.joined(separator: "\n")])
        url = "postgres" + (try await child.line(after: "postgres"))
    }

    /// Stops the server and removes its data.
    func stop() { child.stop() }
}
