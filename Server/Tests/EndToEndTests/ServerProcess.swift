import Foundation
import InlayTesting

/// The built `inlay` program, serving from a folder of its own, that a test may kill at any moment.
final class ServerProcess: Sendable {
    let address: URL
    private let process: Process

    /// Starts `inlay serve` and waits until it listens.
    static func start(in folder: String, _ more: [String] = []) async throws -> ServerProcess {
        let output = "\(folder)/output-\(UUID().uuidString).txt"
        let process = try launch(
            [
                "serve", "--database", "sqlite:\(folder)/inlay.sqlite", "--port", "0", "--log-level",
                "critical",
                "--rate-address", "0", "--rate-key", "0",
            ] + more, output: output)
        let line = "Inlay listens on "
        let address = try await found(within: .seconds(60)) { () -> URL? in
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").last { $0.hasPrefix(line) }.flatMap {
                URL(string: String($0.dropFirst(line.count)))
            }
        }
        return ServerProcess(process, address)
    }

    /// Runs another command to its end; what it printed, by line.
    static func run(_ arguments: [String], in folder: String) async throws -> [String] {
        let output = "\(folder)/output-\(UUID().uuidString).txt"
        let process = try launch(arguments + ["--database", "sqlite:\(folder)/inlay.sqlite"], output: output)
        try await eventually(within: .seconds(60)) { !process.isRunning }
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private init(_ process: Process, _ address: URL) {
        (self.process, self.address) = (process, address)
    }

    /// Ends it as a crash or a loss of power would: without a word.
    func crash() async throws {
        kill(process.processIdentifier, SIGKILL)
        let process = process
        try await eventually { !process.isRunning }
    }

    private static func launch(_ arguments: [String], output: String) throws -> Process {
        try Data().write(to: URL(fileURLWithPath: output))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("inlay")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
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
