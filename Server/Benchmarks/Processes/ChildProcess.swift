import Foundation

/// A program in a child process, so that its memory can be measured separately and its crash is reported.
final class ChildProcess: @unchecked Sendable {
    // Unchecked: only the bench's task uses `process`; the reading thread only feeds the stream.
    private let process = Process()
    private let name: String
    private let lines: AsyncStream<String>

    var id: Int32 { process.processIdentifier }

    /// Starts a program, with variables added to its environment. Its error output goes to the bench's error output.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // Through `env`, because a child would inherit that the bench ignores these signals.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=INT,TERM"] + environment.map { "\($0)=\($1)" } + [path] + arguments
        name = path
        let output = Pipe()
        process.standardOutput = output
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try process.run()
        Children.shared.add(process.processIdentifier)
        // Ends with the child's output. A thread instead of `readabilityHandler`, which Foundation may still call after
        // the pipe is closed.
        Thread { Self.read(output.fileHandleForReading, into: sink) }.start()
    }

    private static func read(_ pipe: FileHandle, into lines: AsyncStream<String>.Continuation) {
        var rest = Data()
        // `read(upToCount:)` would wait for the whole count.
        for data in sequence(first: pipe.availableData, next: { _ in pipe.availableData }) {
            if data.isEmpty { break }
            rest += data
            var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = parts.popLast().map { Data($0) } ?? Data()
            for part in parts { lines.yield(String(decoding: part, as: UTF8.self)) }
        }
        lines.finish()
    }

    /// Starts this program again, with other arguments.
    static func startSelf(_ arguments: [String]) throws -> ChildProcess {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try ChildProcess(own, arguments)
    }

    /// Returns the rest of the next output line that begins with a prefix; throws when the child ends before.
    func line(after prefix: String) async throws -> String {
        for await line in lines where line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
        throw BenchError("\(name) ended before it said \(prefix).")
    }

    /// Returns the whole output after the child has ended; throws when its exit status is not 0.
    func output() async throws -> String {
        let text = await lines.reduce(into: "") { $0 += $1 + "\n" }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(name) ended with \(process.terminationStatus).")
        }
        return text
    }

    /// Sends SIGTERM and waits until the child has ended.
    func stop() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        Children.shared.remove(process.processIdentifier)
    }

    deinit { stop() }
}
