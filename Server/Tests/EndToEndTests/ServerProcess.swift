import Foundation
@_spi(Inlay) import InlayTesting

/// A process of the built `inlay serve`, which a test may kill at any time.
final class ServerProcess: Sendable {
    let address: URL
    private let process: Process

    /// Starts `inlay serve` on a database and waits until it listens; its output goes to the folder.
    static func start(
        on database: String, in folder: TemporaryFolder, _ more: [String] = []
    ) async throws -> ServerProcess {
        let output = folder.url.appendingPathComponent("output-\(UUID().uuidString).txt")
        let process = try launch(
            [
                "serve", "--database", database, "--port", "0", "--log-level", "critical",
                "--rate-address", "0", "--rate-key", "0",
            ] + more, output: output)
        var hasStarted = false
        defer { if !hasStarted { killIfRunning(process) } }
        let line = "Inlay listens on "
        let address = try await found(within: .seconds(60)) { () -> URL? in
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").last { $0.hasPrefix(line) }.flatMap {
                URL(string: String($0.dropFirst(line.count)))
            }
        }
        hasStarted = true
        return ServerProcess(process, address)
    }

    /// Runs another command to its end and returns the lines that it printed; throws unless its exit status is 0.
    static func run(
        _ arguments: [String], on database: String, in folder: TemporaryFolder
    ) async throws -> [String] {
        let output = folder.url.appendingPathComponent("output-\(UUID().uuidString).txt")
        let process = try launch(arguments + ["--database", database], output: output)
        defer { killIfRunning(process) }
        try await eventually(within: .seconds(60)) { !process.isRunning }
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The exit status and the output of a command.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let error: String
    }

    /// Runs a command to its end, whether it succeeds or fails.
    ///
    /// - Parameter settings: Variables that are added to the command's environment.
    static func outcome(
        of arguments: [String], settings: [String: String] = [:], in folder: TemporaryFolder
    ) async throws -> Outcome {
        let files = ["output", "error"].map {
            folder.url.appendingPathComponent("\($0)-\(UUID().uuidString).txt")
        }
        let process = try launch(arguments, output: files[0], error: files[1], settings)
        defer { killIfRunning(process) }
        try await eventually(within: .seconds(60)) { !process.isRunning }
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        return Outcome(status: process.terminationStatus, output: texts[0], error: texts[1])
    }

    private init(_ process: Process, _ address: URL) {
        (self.process, self.address) = (process, address)
    }

    deinit { Self.killIfRunning(process) }

    /// Kills a process that has not ended. A process that outlives a failed test would keep the test program's output
    /// open, and so hang the whole run.
    private static func killIfRunning(_ process: Process) {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Kills the server with SIGKILL, as a crash would, and waits for its end.
    func crash() async throws {
        kill(process.processIdentifier, SIGKILL)
        let process = process
        try await eventually { !process.isRunning }
    }

    /// Stops the server as a service manager does, with SIGTERM, waits for its end, and returns its exit status.
    func stop(within limit: Duration) async throws -> Int32 {
        process.terminate()
        return try await end(within: limit)
    }

    /// Waits for the server's end and returns its exit status, or the negative number of the signal that ended it.
    func end(within limit: Duration) async throws -> Int32 {
        let process = process
        try await eventually(within: limit) { !process.isRunning }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Shuts down the server's listening socket, as the system does to a broken one; connections stay open (Linux).
    func breakListener() throws {
        // Swift's module of the C library has neither of the two functions.
        typealias Call = @convention(c) (Int32, Int32, UInt32) -> Int32
        guard let open = dlsym(nil, "pidfd_open"), let copy = dlsym(nil, "pidfd_getfd") else {
            throw POSIXError(.ENOSYS)
        }
        let (number, copyDescriptor) = (process.processIdentifier, unsafeBitCast(copy, to: Call.self))
        let handle = unsafeBitCast(open, to: (@convention(c) (Int32, UInt32) -> Int32).self)(number, 0)
        guard handle >= 0 else { throw POSIXError(.ESRCH) }
        defer { close(handle) }
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/fd")
        let broken = names.compactMap { Int32($0) }.filter { name in
            let socket = copyDescriptor(handle, name, 0)
            guard socket >= 0 else { return false }
            defer { close(socket) }
            var (isListening, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            guard getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
                return false
            }
            return isListening == 1 && shutdown(socket, Int32(SHUT_RDWR)) == 0
        }
        guard broken.count == 1 else { throw POSIXError(.ENOTSOCK) }
    }

    private static func launch(
        _ arguments: [String], output: URL, error: URL? = nil, _ settings: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        for file in [output, error].compactMap(\.self) { try Data().write(to: file) }
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        if let error { process.standardError = try FileHandle(forWritingTo: error) }
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("inlay")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        return process
    }

    private static func found<Value: Sendable>(
        within limit: Duration, _ look: @escaping @Sendable () -> Value?
    ) async throws -> Value {
        try await eventually(within: limit) { look() != nil }
        guard let value = look() else { throw CocoaError(.fileReadUnknown) }
        return value
    }
}
