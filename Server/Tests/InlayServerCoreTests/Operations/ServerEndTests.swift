import AsyncHTTPClient
import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The ends of a server's run.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerEndTests {
    enum Cause: CaseIterable {
        case stop, cancel, brokenListener
    }

    /// Runs a server, ends it in some way after the body, and returns how long its end took.
    private func end(
        by cause: Cause, on url: String, logger: Logger = .quiet, after body: (TestApp) async throws -> Void
    ) async throws -> Duration {
        var configuration = InlayServerConfiguration()
        (configuration.port, configuration.database) = (0, SecretString(url))
        (configuration.stopSeconds, configuration.databaseSeconds) = (1, 300)
        let server = try await InlayServer.make(configuration, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [server], logger: .quiet))
        // Awaited below, after each of the causes.
        let running = Task { try await group.run() }
        guard let port = await server.port else { throw TestFailure("The server never listened.") }
        try await body(TestApp(server: server, port: port, clock: TestClock(), client: .shared))
        let start = ContinuousClock.now
        switch cause {
        case .stop: await group.triggerGracefulShutdown()
        case .cancel: running.cancel()
        case .brokenListener: try BrokenListener.make(port: port)
        }
        _ = await running.result
        return start.duration(to: .now)
    }

    @Test(arguments: Cause.allCases)
    func `only a requested stop logs that it cut off requests at its limit`(
        _ cause: Cause
    ) async throws {
        let (logger, lines) = RecordedLog.make()
        try await TestDatabase.withURL(.sqlite) { url in
            _ = try await end(by: cause, on: url, logger: logger) { app in
                let open = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: app.port).get()
                let head = """
                    POST /workbench/sign-in HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n\
                    Content-Type: application/x-www-form-urlencoded\r\n\r\nx
                    """
                try await open.writeAndFlush(ByteBuffer(string: head))
                // Connections are accepted in order: once this request is answered, the one before was accepted too.
                let health = ["GET /health HTTP/1.1", "Connection: close"]
                #expect(try await RawConnection.firstLine(app, health) == "HTTP/1.1 200 OK")
            }
        }
        let notices = lines.withLockedValue { $0.count { $0.text.contains("were cut off") } }
        #expect(notices == (cause == .stop ? 1 : 0))
    }

    @Test(arguments: Cause.allCases)
    func `a node ends within its limit while the database hangs, whatever the cause`(
        _ cause: Cause
    ) async throws {
        try await PrivatePostgres.with { postgres in
            defer { postgres.resume() }
            let duration = try await end(by: cause, on: postgres.url) { app in
                let tenant = try await TestTenant.make(app)
                try postgres.pause()
                let begun = Flag()
                // The task ends with the node, which gives its database calls up.
                Task {
                    begun.set()
                    try? await app.services.users.put(tenant.environmentID, "ada", UserProfile([:]))
                }
                try await eventually(within: .seconds(120)) { begun.isSet }
            }
            // Without the limit the node would wait for the database's 300 seconds.
            #expect(duration < .seconds(120))
        }
    }
}

/// A listening socket of this process that no longer accepts connections, as if the system had broken it.
private enum BrokenListener {
    /// Shuts down the listening socket of a port; connections stay open (Linux).
    static func make(port: Int) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            Int32($0)
        }
        guard let socket = names.first(where: { isListening($0, port) }),
            shutdown(socket, Int32(SHUT_RDWR)) == 0
        else { throw TestFailure("Nothing listens on port \(port).") }
    }

    private static func isListening(_ socket: Int32, _ port: Int) -> Bool {
        var (isListening, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
            return false
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port
    }
}
