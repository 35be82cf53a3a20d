import AsyncHTTPClient
import Foundation
import HTTPTypes
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Logging
import NIOCore
import ServiceLifecycle

@testable import InlayServer
@testable import InlayServerCore

/// A whole server on a free port of 127.0.0.1, with a database of its own, stopped when the body ends.
struct TestApp: Sendable {
    let server: InlayServer
    let port: Int
    let clock: TestClock
    /// A client for this server only: a pooled connection of a shared client may lead to an earlier server on the port.
    let client: HTTPClient

    var services: ServerServices { server.services }

    static func run<R: Sendable>(
        _ engine: SQLEngine = .sqlite, clock: TestClock = TestClock(),
        configure: (inout InlayServerConfiguration) -> Void = { _ in },
        watching: @escaping (any SQLDatabase) -> any SQLDatabase = { $0 },
        features: (ServerServices) -> [any ServerFeature] = { [EchoFeature(services: $0)] },
        logger: Logger = .quiet, _ body: @Sendable (TestApp) async throws -> R
    ) async throws -> R {
        try await TestDatabase.withURL(engine) { url in
            try await run(
                url: url, clock: clock, configure: configure, watching: watching, features: features,
                logger: logger, body)
        }
    }

    /// Runs a server on a database that other servers may use too.
    static func run<R: Sendable>(
        url: String, clock: TestClock = TestClock(),
        configure: (inout InlayServerConfiguration) -> Void = { _ in },
        watching: @escaping (any SQLDatabase) -> any SQLDatabase = { $0 },
        features: (ServerServices) -> [any ServerFeature] = { [EchoFeature(services: $0)] },
        logger: Logger = .quiet, _ body: @Sendable (TestApp) async throws -> R
    ) async throws -> R {
        var configuration = InlayServerConfiguration()
        configuration.port = 0
        configuration.database = SecretString(url)
        // With the default of ten seconds, a busy machine would cut requests off and end the test with an error.
        configuration.stopSeconds = 120
        configuration.passwordCost = .minimum
        configure(&configuration)
        let server = try await InlayServer.make(
            configuration, logger: logger, now: { clock.now }, watching: watching, adding: features)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                guard let port = await server.port else {
                    // Throws the error that kept the server from listening.
                    try await tasks.waitForAll()
                    throw TestFailure("The server never listened.")
                }
                var settings = HTTPClient.Configuration()
                // On a busy machine, hundreds of concurrent requests wait for each other.
                settings.timeout.connect = .seconds(60)
                let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
                let app = TestApp(server: server, port: port, clock: clock, client: client)
                let result: R
                do {
                    result = try await body(app)
                    try await client.shutdown()
                } catch {
                    try await client.shutdown()
                    throw error
                }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return result
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    /// Sends a request, and returns the response with its body of at most 4 MiB.
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: HTTPClientRequest.Body? = nil
    ) async throws -> TestAppResponse {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .init(rawValue: method)
        request.body = body
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 22)
        return TestAppResponse(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
            body: Data(buffer: bytes))
    }

    /// Sends a request with a JSON body.
    func sendJSON(
        _ method: String, _ path: String, headers: [String: String] = [:], _ text: String
    ) async throws -> TestAppResponse {
        let headers = headers.merging(["Content-Type": "application/json"]) { given, _ in given }
        return try await send(method, path, headers: headers, body: .bytes(ByteBuffer(string: text)))
    }
}

extension Logger {
    /// A logger for critical messages only.
    static var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}

/// A response with its body; header names are in lower case.
struct TestAppResponse: Sendable {
    let status: Int
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The problem document; throws ``TestFailure`` when the response is something else.
    var problem: Problem {
        get throws {
            guard headers["content-type"] == Problem.mediaType else {
                throw TestFailure("Not a problem: \(status) \(text)")
            }
            return try JSONDecoder().decode(Problem.self, from: body)
        }
    }

    /// The code of the problem document.
    var code: String { get throws { try problem.code.rawValue } }
}

/// The reason why a test cannot continue.
struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs the work and cancels it at the limit, which throws ``TestFailure``. Work that ignores cancellation hangs.
func within<R: Sendable>(_ limit: Duration = .seconds(120), _ work: @escaping @Sendable () async throws -> R)
    async throws -> R
{
    try await withThrowingTaskGroup(of: R?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await _ in TimerSequence(every: limit) { break }
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else {
            throw TestFailure("It took longer than \(limit).")
        }
        return result
    }
}
