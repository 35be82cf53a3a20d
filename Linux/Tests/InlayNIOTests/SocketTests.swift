@_spi(Inlay) import InlayTesting
import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import NIOWebSocket
import Testing

/// Tests of the socket with servers that follow RFC 6455, and with servers that do not.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    private func open(
        _ script: SocketScript, limit: Int = 8 << 20, silence: Duration = .seconds(75)
    ) async throws -> (any TransportSocket, LoopbackServer) {
        let server = try await LoopbackServer.start(socket: script)
        let transport = try NIOTransport(trust: .system, socketSilence: silence)
        let request = TransportRequest(
            url: server.url("/socket", scheme: "ws"), headers: ["Inlay-Api-Key": "k", "Upgrade": "smuggled"],
            timeout: .seconds(20), maximumResponseBytes: limit)
        return (try await transport.openSocket(request), server)
    }

    private func error(
        ending socket: any TransportSocket, location: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await failure(location: location) { for try await _ in socket.messages {} }
    }

    @Test func `messages go both ways and the headers reach the server`() async throws {
        let (socket, server) = try await open(SocketScript())
        var messages = socket.messages.makeAsyncIterator()
        try await socket.send("héllo")
        #expect(try await messages.next() == "héllo")
        let head = server.heads.withLockedValue { $0 }.first
        #expect(head?.uri == "/socket")
        #expect(head?.headers["inlay-api-key"] == ["k"])
        #expect(head?.headers["upgrade"] == ["websocket"])
        await socket.close()
        #expect(try await messages.next() == nil)
    }

    @Test func `messages in the same packet as the upgrade are not lost`() async throws {
        var script = SocketScript()
        script.greeting = [.text("one"), .text("two")]
        let (socket, _) = try await open(script)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "one")
        #expect(try await messages.next() == "two")
    }

    @Test func `fragments become one message, also around a ping, which is answered`() async throws {
        var script = SocketScript()
        script.greeting = [
            .text("a", fin: false), ScriptedFrame(opcode: .ping, bytes: Array("alive?".utf8)),
            .more("b", fin: false), .more("", fin: false), .more("c", fin: true),
        ]
        let (socket, _) = try await open(script)
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "abc")
        #expect(await script.arrivals.first { _ in true } == "pong alive?")
    }

    @Test(arguments: [
        [ScriptedFrame.text(String(repeating: "x", count: 1001))],
        [
            .text(String(repeating: "x", count: 600), fin: false),
            .more(String(repeating: "x", count: 600), fin: true),
        ],
    ])
    func `a message over the limit ends the socket and sends the server the reason`(frames: [ScriptedFrame])
        async throws
    {
        var script = SocketScript()
        script.greeting = frames
        let (socket, _) = try await open(script, limit: 1000)
        #expect(await error(ending: socket) == .tooLarge)
        // 1009 is "message too big".
        #expect(await script.arrivals.first { $0.hasPrefix("close") } == "close \u{03}\u{FFFD}")
    }

    @Test func `binary, broken text and a stray continuation break the socket`() async throws {
        for frame in [
            ScriptedFrame(opcode: .binary, bytes: [1]), ScriptedFrame(opcode: .text, bytes: [0xFF]),
            .more("stray", fin: true),
        ] {
            var script = SocketScript()
            script.greeting = [frame]
            let (socket, _) = try await open(script)
            #expect(await error(ending: socket)?.isCut == true, "\(frame)")
        }
    }

    @Test func `a close by the server ends the messages without an error and is answered`() async throws {
        var script = SocketScript()
        script.greeting = [.text("last"), ScriptedFrame(opcode: .connectionClose, bytes: [0x03, 0xE9])]
        let (socket, _) = try await open(script)
        var texts: [String] = []
        for try await text in socket.messages { texts.append(text) }
        #expect(texts == ["last"])
        #expect(await script.arrivals.first { $0.hasPrefix("close") } != nil)
        await #expect(throws: TransportError.self) { try await socket.send("late") }
    }

    @Test func `a connection that breaks is an error to the reader`() async throws {
        var script = SocketScript()
        script.cutsOnText = true
        let (socket, _) = try await open(script)
        try await socket.send("cut me")
        #expect(await error(ending: socket)?.isCut == true)
    }

    @Test func `closing twice is safe, and a server that ignores it is left`() async throws {
        var script = SocketScript()
        script.answersClose = false
        let (socket, _) = try await open(script)
        async let first: Void = socket.close()
        async let second: Void = socket.close()
        _ = await (first, second)
        #expect(await error(ending: socket) == nil)
    }

    @Test func `a silent server is asked with a ping and then given up`() async throws {
        var script = SocketScript()
        script.answersPing = false
        let (socket, _) = try await open(script, silence: .milliseconds(200))
        #expect(await error(ending: socket) == .cut("no sign of life"))
        #expect(await script.arrivals.first { _ in true }?.hasPrefix("ping") == true)
    }

    @Test func `any sequence of frames leads to messages or to an end, never to a crash or a hang`()
        async throws
    {
        for seed in 0..<150 as Range<UInt64> {
            var script = SocketScript()
            script.greeting = Self.randomFrames(seed: seed) + [ScriptedFrame(opcode: .connectionClose)]
            let (socket, server) = try await open(script, limit: 500)
            let end = await error(ending: socket)
            #expect(end == nil || end == .tooLarge || end?.isCut == true, "seed \(seed)")
            await server.stop()
        }
    }

    private static func randomFrames(seed: UInt64) -> [ScriptedFrame] {
        var random = SeededRandom(seed: seed)
        let opcodes: [WebSocketOpcode] = [.text, .binary, .continuation, .ping, .pong, .connectionClose]
        return (0..<Int.random(in: 1...8, using: &random)).map { _ in
            ScriptedFrame(
                fin: .random(using: &random), opcode: opcodes[Int.random(in: 0..<6, using: &random)],
                bytes: (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    .random(in: 0...255, using: &random)
                })
        }
    }

    @Test func `a refused upgrade reports the status`() async throws {
        let server = try await LoopbackServer.start(.answer(status: 401, body: "no"))
        let transport = try NIOTransport()
        await #expect(throws: TransportError.upgradeRefused(status: 401)) {
            try await transport.openSocket(TransportRequest(url: server.url("/socket", scheme: "ws")))
        }
    }

    @Test func `an upgrade without an answer fails at the time-out, or as soon as the caller is cancelled`()
        async throws
    {
        let server = try await LoopbackServer.start(.silence)
        let transport = try NIOTransport()
        let url = server.url("/socket", scheme: "ws")
        await #expect(throws: TransportError.timedOut) {
            try await transport.openSocket(TransportRequest(url: url, timeout: .milliseconds(150)))
        }
        let other = try await LoopbackServer.start(.silence)
        // The time-out is longer than the suite's limit, so that only the cancellation can end the attempt in time.
        let request = TransportRequest(url: other.url("/socket", scheme: "ws"), timeout: .seconds(600))
        // The task ends by its cancellation below.
        let caller = Task { try await transport.openSocket(request) }
        defer { caller.cancel() }
        try await eventually { other.heads.withLockedValue { $0.count } == 1 }
        caller.cancel()
        await #expect(throws: TransportError.cancelled) { try await caller.value }
    }

    @Test func `a socket is pinned like a request`() async throws {
        let authority = try TestAuthority()
        let script = SocketScript()
        let server = try await LoopbackServer.start(tls: authority.serverTLS(), socket: script)
        let transport = try NIOTransport(trust: .only(authority.rootPEM))
        let url = server.url("/socket", scheme: "wss")
        let pins = try Set([authority.intermediate.pin])
        let socket = try await transport.openSocket(TransportRequest(url: url, pins: pins))
        var messages = socket.messages.makeAsyncIterator()
        try await socket.send("over TLS")
        #expect(try await messages.next() == "over TLS")
        await socket.close()
        try await transport.openSocket(TransportRequest(url: url)).close()
        let wrong = try Set([IssuedCertificate.makeRoot().pin])
        await #expect(throws: TransportError.pinMismatch) {
            try await transport.openSocket(TransportRequest(url: url, pins: wrong))
        }
        #expect(server.heads.withLockedValue { $0 }.count == 2)
    }
}
