import Foundation
@_spi(Inlay) import InlayWire
import NIOPosix

/// A measurement of the server's memory for each idle socket, compared with nginx and nchan.
struct IdleSockets {
    let count: Int

    func measure() async throws -> [BenchRow] {
        let mine = try await inlay()
        let peer = try await nchan()
        return [
            BenchRow(
                name: "idle socket, memory each, \(count) open", value: mine, unit: "B", budget: 12 * 1024,
                better: .lower, peer: .init(name: "nginx + nchan", value: peer))
        ]
    }

    private func inlay() async throws -> Double {
        let server = try await RunningServer()
        defer { server.stop() }
        let access = server.access
        let signer = try access.signer()
        let subscribe = try Self.subscribe()
        let open = { @Sendable (number: Int) in
            try await RawSocket.open(
                host: "127.0.0.1", port: access.port, path: InlayPath.socket,
                headers: access.headers(user: ServerAccess.user(number), signer: signer),
                firstMessage: subscribe,
                on: MultiThreadedEventLoopGroup.singleton)
        }
        return try await Self.memoryEach(count, open) { server.memoryBytes }
    }

    private func nchan() async throws -> Double {
        let server = try await NchanServer(connections: count + 500)
        defer { server.stop() }
        let port = server.port
        let open = { @Sendable (_: Int) in
            try await RawSocket.open(
                host: "127.0.0.1", port: port, path: NchanServer.subscribePath,
                on: MultiThreadedEventLoopGroup.singleton)
        }
        return try await Self.memoryEach(count, open) { server.memoryBytes }
    }

    /// Returns the memory for each socket. 200 sockets are opened before and not counted, because they fill caches and
    /// pools.
    private static func memoryEach(
        _ count: Int, _ open: @escaping @Sendable (Int) async throws -> RawSocket, bytes: () -> Double
    ) async throws -> Double {
        let first = try await SocketLoad.open(200) { try await open(count + $0) }
        let before = try await settled(bytes)
        let sockets = try await SocketLoad.open(count, open)
        let after = try await settled(bytes)
        guard sockets.openCount == count else {
            throw BenchError("Only \(sockets.openCount) of \(count) sockets stayed open.")
        }
        await sockets.close()
        await first.close()
        return (after - before) / Double(count)
    }

    /// Returns the memory once it has stopped growing: connections are still being set up after the last accept.
    private static func settled(_ bytes: () -> Double) async throws -> Double {
        var last = bytes()
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(500))
            let now = bytes()
            if abs(now - last) < 64 * 1024 { return now }
            last = now
        }
        return last
    }

    static func subscribe() throws -> String {
        let message = LiveMessage.subscribe(topics: [LiveMessage.cardTopic(container: ServerAccess.container)]
        )
        return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    }
}
