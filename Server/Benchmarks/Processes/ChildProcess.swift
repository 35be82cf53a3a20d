import Foundation

/// A server of the bench in a process of its own, so that its memory is its own and its crash is seen.
final class ChildProcess: @unchecked Sendable {
    // Unchecked: made and stopped by the bench's one task; the reading thread only feeds the stream.
    private let process = Process()
    private let name: String
    private let lines: AsyncStream<String>

    var id: Int32 { process.processIdentifier }

    /// Starts a program, with variables added to its environment; its error output goes to the bench's.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // Through `env`, because the bench ignores these signals for its own handler, and that is inherited.
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
        // Ends with the child's output. A thread and not a handler of Foundation's, which may still be
        // called for a pipe that is closed already.
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

    /// The same program as this one, with another subcommand.
    static func again(_ arguments: [String]) throws -> ChildProcess {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try ChildProcess(own, arguments)
    }

    /// The first line of its output that begins so, without the beginning; a child that ends first is
    /// an error.
    func line(after prefix: String) async throws -> String {
        for await line in lines where line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
        throw BenchError("\(name) ended before it said \(prefix).")
    }

    /// All of its output, once it has ended well.
    func output() async throws -> String {
        let text = await lines.reduce(into: "") { $0 += $1 + "\n" }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("\(name) ended with \(process.terminationStatus).")
        }
        return text
    }

    /// Asks it to end and waits until it has.
    func stop() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        Children.shared.remove(process.processIdentifier)
    }

    deinit { stop() }
}
