import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
import InlayNIO
@_spi(Inlay) import InlaySurface
import InlayWebHost
@_spi(Inlay) import InlayWire
import NIOCore
import NIOPosix

/// A host that runs during one test, with a client for its pages and sockets.
struct RunningHost: Sendable {
    let host: BrowserHost
    let transport: NIOTransport

    /// Serves `surfaces` while `body` runs, then stops the host and waits for its end.
    static func with(
        _ surfaces: [any Surface], configuration: BrowserHost.Configuration = .init(),
        media: WebContent.Loader? = nil, _ body: (RunningHost) async throws -> Void
    ) async throws {
        let host = try await BrowserHost.start(surfaces: surfaces, configuration: configuration, media: media)
        let running = RunningHost(host: host, transport: try NIOTransport())
        async let serving: Void = host.run()
        do {
            try await body(running)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
        await serving
    }

    func url(_ path: String, scheme: String = "http", host name: String = "127.0.0.1") throws -> URL {
        let base = host.address.path(percentEncoded: true)
        guard let url = URL(string: "\(scheme)://\(name):\(host.port)\(base)\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }

    func get(_ path: String, method: String = "GET", host name: String = "127.0.0.1") async throws
        -> TransportResponse
    {
        try await transport.send(TransportRequest(method: method, url: url(path, host: name)))
    }

    /// Opens a socket as the surface's page does, or with another `Origin`; with `.some(nil)`, without the header.
    func connect(_ surface: String = "cards/home", origin: String?? = .none) async throws
        -> any TransportSocket
    {
        let own = "http://127.0.0.1:\(host.port)"
        var headers: [String: String] = [:]
        if let origin = origin ?? own { headers["Origin"] = origin }
        return try await transport.openSocket(
            TransportRequest(url: url("\(surface)/socket", scheme: "ws"), headers: headers))
    }

    /// Opens a socket and sends `ready`.
    func view(_ surface: String = "cards/home", payload: JSONValue = [:]) async throws -> any TransportSocket
    {
        let socket = try await connect(surface)
        try await socket.send(Self.message("ready", id: "0", surface: surface, payload: payload))
        return socket
    }

    static func message(
        _ kind: String = "event", id: String, surface: String = "cards/home", payload: JSONValue = [:]
    ) throws -> String {
        let message = SurfaceMessage(surface: surface, kind: kind, id: id, payload: payload)
        return String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    }

    /// Sends bytes as they are and closes the connection without waiting for an answer.
    func sendAndClose(_ bytes: [UInt8]) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: host.port).get()
        // The host may have closed the connection already.
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
        try? await channel.close()
    }

    /// Sends bytes as they are and returns the first line of the answer. Calls a step before it sends the rest.
    func raw(
        _ request: String, rest: String = "", after step: () async -> Void = {}
    ) async throws -> String {
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: host.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await client.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            await step()
            if !rest.isEmpty { try await outbound.write(ByteBuffer(string: rest)) }
            var answer = ""
            for try await part in inbound {
                answer += String(buffer: part)
                if answer.contains("\r\n") { break }
            }
            return String(answer.prefix { $0 != "\r\n" })
        }
    }
}

extension TransportSocket {
    /// Waits for the end of the messages, and returns whether they ended without an error or with a transport error.
    func isEnded() async -> Bool {
        do {
            for try await _ in messages {}
        } catch {
            return error is TransportError
        }
        return true
    }
}
