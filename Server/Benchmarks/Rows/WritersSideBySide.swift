import Foundation

/// Commits of one, two and four nodes on one PostgreSQL whose commits take 3 ms, without anything, with live messages, and
/// with a counter that all share.
struct WritersSideBySide {
    /// The script that starts a PostgreSQL.
    let script: String
    let seconds: Int

    func measure() async throws -> [BenchRow] {
        let postgres = try ChildProcess(script, ["run", "--", "sh", "-c", Self.slowCommits])
        defer { postgres.stop() }
        let url = "postgres" + (try await postgres.line(after: "postgres"))
        var rows: [BenchRow] = []
        for (name, flags) in [
            ("plain", []), ("live messages", ["--messages"]),
            ("live messages and one shared counter", ["--messages", "--counter"]),
        ] {
            let one = try await rate(of: 1, flags, url)
            for count in [2, 4] {
                rows.append(
                    BenchRow(
                        name: "commits of \(count) nodes, \(name)",
                        value: try await rate(of: count, flags, url),
                        unit: "/s", budget: count == 4 && flags == ["--messages"] ? 3 * one : nil,
                        peer: .init(name: "one node, \(name)", value: one)))
            }
        }
        return rows
    }

    /// Waits 3 ms inside of each commit, as for a disk, and goes on for as long as there is an input.
    private static let slowCommits = """
        for line in 'fsync = on' 'synchronous_commit = on' 'commit_delay = 3000' 'commit_siblings = 0'; do
          psql -q "$INLAY_TEST_POSTGRES" -c "ALTER SYSTEM SET $line" || exit 1
        done
        psql -q "$INLAY_TEST_POSTGRES" -c 'SELECT pg_reload_conf()' >/dev/null || exit 1
        echo "$INLAY_TEST_POSTGRES"; exec sleep 86400
        """

    private func rate(of count: Int, _ flags: [String], _ url: String) async throws -> Double {
        let writers = try (0..<count).map { _ in
            try ChildProcess.again(["writer", "--database", url, "--seconds", "\(seconds)"] + flags)
        }
        defer { writers.forEach { $0.stop() } }
        var commits = 0.0
        for writer in writers { commits += Double(try await writer.line(after: "COMMITS ")) ?? 0 }
        return commits / Double(seconds)
    }
}
