import Foundation
import InlaySQL

/// A PostgreSQL of one test, whose processes can be stopped and continued.
///
/// Unchecked: `stopped` is touched by the test's body alone, which calls one method after the other.
public final class PrivatePostgres: @unchecked Sendable {
    /// The address of its database.
    public let url: String
    private let postmaster: Int32
    private var stopped: [Int32] = []

    /// Starts a server, and ends and removes it after the body.
    public static func with<R>(_ body: (PrivatePostgres) async throws -> R) async throws -> R {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Scripts/postgres").standardizedFileURL
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = script
        // The server lives for as long as `cat` has an input, also when the test's process is killed.
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

    /// Stops every process of the server, which keeps all its connections and answers none (SIGSTOP).
    public func pause() throws {
        stopped = try PostgresAdmin.backends(at: url) { kill(postmaster, SIGSTOP) } + [postmaster]
        for id in stopped { kill(id, SIGSTOP) }
    }

    /// Lets them go on.
    public func resume() {
        for id in stopped { kill(id, SIGCONT) }
        stopped = []
    }

    private static func line(of output: Pipe) async throws -> String {
        let text: String = await withCheckedContinuation { done in
            // Ends with the line, or with the script.
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
