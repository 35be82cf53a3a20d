import Foundation
import InlaySQL

/// A PostgreSQL server of one test, whose processes can be stopped and continued.
///
/// Unchecked: only the test's body uses `stopped`, and it makes one call at a time.
public final class PrivatePostgres: @unchecked Sendable {
    /// The URL of the server's database.
    public let url: String
    private let postmaster: Int32
    private var stopped: [Int32] = []

    /// Starts a server, runs the body, then stops and removes the server.
    public static func with<R>(_ body: (PrivatePostgres) async throws -> R) async throws -> R {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Scripts/postgres").standardizedFileURL
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = script
        // `cat` ends with its input, so the server is stopped even when the test's process is killed.
        process.arguments = ["run", "--", "sh", "-c", "echo $INLAY_TEST_POSTGRES; exec cat"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let url = try await line(of: output)
        let server = try PrivatePostgres(url: url)
        defer {
            server.resume()
            try? input.fileHandleForWriting.close()
        }
        return try await body(server)
    }

    private init(url: String) throws {
        self.url = url
        postmaster = try PostgresAdmin.postmaster(at: url)
    }

    /// Stops every process of the server with SIGSTOP. The server keeps its connections open and answers none.
    public func pause() throws {
        stopped = [postmaster]
        kill(postmaster, SIGSTOP)
        // The kernel also lists a process that has just started, which no view of the database does. The loop ends when
        // the list has no new process.
        while true {
            let list = try String(
                contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
            let new = Set(list.split(separator: " ").compactMap { Int32($0) }).subtracting(stopped)
            if new.isEmpty { return }
            for id in new { kill(id, SIGSTOP) }
            stopped += new
        }
    }

    /// Continues the stopped processes.
    public func resume() {
        for id in stopped { kill(id, SIGCONT) }
        stopped = []
    }

    private static func line(of output: Pipe) async throws -> String {
        let text: String = await withCheckedContinuation { done in
            // The thread ends after one line, or when the script ends.
            Thread {
                var bytes = Data()
                while !bytes.contains(UInt8(ascii: "\n")) {
                    let more = output.fileHandleForReading.availableData
                    if more.isEmpty { break }
                    bytes += more
                }
                done.resume(returning: String(decoding: bytes, as: UTF8.self))
            }.start()
        }
        guard text.hasPrefix("postgres") else { throw TestDatabaseError.noPostgres }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
