/// A PostgreSQL of one row, which answers a commit once it is on the disk, as SQLite does.
final class BenchPostgres {
    /// The address of its database.
    let url: String
    private let child: ChildProcess

    /// Starts one with the script `postgres`; `settings` are further lines of its configuration.
    init(script: String, settings: [String] = []) async throws {
        let lines = ["fsync = on", "synchronous_commit = on", "full_page_writes = on"] + settings
        child = try ChildProcess(
            script, ["run", "--", "sh", "-c", #"echo "$INLAY_TEST_POSTGRES"; exec sleep 86400"#],
            environment: ["INLAY_POSTGRES_SETTINGS": lines.joined(separator: "\n")])
        url = "postgres" + (try await child.line(after: "postgres"))
    }

    /// Ends it and removes its data.
    func stop() { child.stop() }
}
