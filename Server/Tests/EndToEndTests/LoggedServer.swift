import AsyncHTTPClient
import Foundation
@_spi(Inlay) import InlayTesting
import NIOCore

/// A process of the built `inlay serve`, whose output is kept as a whole.
final class LoggedServer: Sendable {
    let address: URL
    private let process: Process
    private let output: URL

    /// Everything that the server has printed and logged so far.
    var log: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Starts a server and waits until it listens.
    ///
    /// - Parameter openFiles: The maximum number of the process's open files and connections.
    static func start(
        _ arguments: [String], settings: [String: String] = [:], openFiles: Int? = nil,
        in folder: TemporaryFolder
    ) async throws -> LoggedServer {
        let (process, output) = try launch(arguments, settings, openFiles, in: folder)
        var hasStarted = false
        defer { if !hasStarted, process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let line = "Inlay listens on "
        let listening: @Sendable () -> URL? = {
            let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").first { $0.hasPrefix(line) }
                .flatMap { URL(string: String($0.dropFirst(line.count))) }
        }
        try await eventually(within: .seconds(60)) { listening() != nil || !process.isRunning }
        guard let address = listening() else { throw CocoaError(.executableLoad) }
        hasStarted = true
        return LoggedServer(process, address, output)
    }

    /// Runs a server that cannot start, and returns what it printed until it ended.
    static func failure(
        _ arguments: [String], settings: [String: String] = [:], in folder: TemporaryFolder
    ) async throws -> String {
        let (process, output) = try launch(arguments, settings, nil, in: folder)
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await eventually(within: .seconds(60)) { !process.isRunning }
        return try String(contentsOf: output, encoding: .utf8)
    }

    private init(_ process: Process, _ address: URL, _ output: URL) {
        (self.process, self.address, self.output) = (process, address, output)
    }

    // A server that outlives a failed test would keep the test program's output open, and so hang the whole run.
    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Stops the server as a service manager does, with SIGTERM, waits for its end, and returns its exit status, or the
    /// negative number of the signal that ended it.
    @discardableResult
    func stop() async throws -> Int32 {
        process.terminate()
        let process = process
        try await eventually(within: .seconds(60)) { !process.isRunning }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Sends a request and returns its answer. The client decides whether redirects are followed.
    func send(
        _ client: HTTPClient, _ method: String, _ path: String, headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> (status: Int, headers: [(String, String)], body: String) {
        var request = HTTPClientRequest(url: address.absoluteString + path)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        return (
            Int(response.status.code), response.headers.map { ($0.name.lowercased(), $0.value) },
            String(buffer: bytes)
        )
    }

    private static func launch(
        _ arguments: [String], _ settings: [String: String], _ openFiles: Int?, in folder: TemporaryFolder
    ) throws -> (Process, URL) {
        let output = folder.url.appendingPathComponent("log-\(UUID().uuidString).txt")
        try Data().write(to: output)
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent("inlay").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let limit = openFiles.map { "ulimit -n \($0); " } ?? ""
        process.arguments = ["-c", limit + #"exec "$0" "$@""#, program, "serve"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        let file = try FileHandle(forWritingTo: output)
        _ = try file.seekToEnd()
        process.standardOutput = file
        process.standardError = file
        try process.run()
        return (process, output)
    }
}
