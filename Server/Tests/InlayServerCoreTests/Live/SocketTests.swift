import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The messages that an app's socket receives, and the reasons for which it is closed.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    /// Invalid messages, and the codes with which the server closes the socket.
    private static let badMessages: [(String, UInt16)] = [
        ("not json", 1003), ("[]", 1003), (#"{"type":"subscribe"}"#, 1003),
        (#"{"type":"subscribe","topics":[1]}"#, 1003), (#"{"type":"subscribe","topics":[""]}"#, 1008),
        (#"{"type":"subscribe","topics":["\#(String(repeating: "x", count: 257))"]}"#, 1008),
        (#"{"type":"subscribe","topics":["e\#(String(repeating: "\u{301}", count: 256))"]}"#, 1008),
        (#"{"type":"subscribe","topics":[\#((0...100).map { "\"t\($0)\"" }.joined(separator: ","))]}"#, 1008),
        (String(repeating: " ", count: 64 * 1024 + 1), 1009),
    ]

    /// Subscribes, and waits until the server has recorded it: the server sends the version of `test/…` topics at once.
    private func subscribe(_ socket: TestSocket, _ topics: [String] = ["test/a"]) async throws {
        try await socket.subscribe(topics)
        #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 6005)))
    }

    @Test func `the first message is a hello with the server's time`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket async throws in
                #expect(try await socket.next() == .message(.hello(serverTime: app.clock.now)))
            }
        }
    }

    @Test func `a subscriber receives the current version at once and every later change`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await subscribe(socket, ["test/none", "test/a"])
                await app.services.live.changed(
                    environment: "harbor", user: "alice", topic: "test/a", version: 7)
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 7)))
                await app.services.live.changed(environment: "harbor", topic: "test/a", version: 8)
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 8)))
            }
        }
    }

    @Test func `a new subscription takes the place of the one before`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await socket.subscribe(["test/b"])
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/b", version: 6005)))
                try await subscribe(socket)
                await app.services.live.changed(
                    environment: "harbor", user: "alice", topic: "test/b", version: 1)
                await app.services.live.changed(
                    environment: "harbor", user: "alice", topic: "test/a", version: 2)
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 2)))
            }
        }
    }

    @Test func `changes of another user, environment or topic are never sent`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            _ = try await TestTenant.make(app, "rival")
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await subscribe(socket)
                let live = app.services.live
                await live.changed(environment: "harbor", user: "bob", topic: "test/a", version: 90)
                await live.changed(environment: "rival", user: "alice", topic: "test/a", version: 91)
                await live.changed(environment: "rival", topic: "test/a", version: 92)
                await live.changed(environment: "harbor", user: "alice", topic: "test/ab", version: 93)
                await live.changed(environment: "harbor", user: "alice", topic: "test/a", version: 94)
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 94)))
            }
        }
    }

    @Test func `an upgrade without a valid token is refused with the problem code of an HTTP request`()
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            var headers = try tenant.headers(app)
            headers["Authorization"] = nil
            await #expect(throws: TestFailure.self) { try await TestSocket.open(app, headers) { _ in } }
            let upgrade = [
                "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "SGVsbG8sIHdvcmxkIQ==",
            ]
            #expect(
                try await app.send("GET", "/socket", headers: headers.merging(upgrade) { $1 }).code
                    == "token-missing")
            await #expect(throws: TestFailure.self) {
                try await TestSocket.open(app, try tenant.headers(app), path: "/v1/cards/counts") { _ in }
            }
            #expect(app.services.live.registry.count == 0)
        }
    }

    @Test func `a request for an unsupported protocol upgrade is answered without the upgrade`() async throws
    {
        try await TestApp.run { app async throws in
            for (name, connection) in [
                ("h2c", "Upgrade, HTTP2-Settings"), ("websocket", "Upgrade"), ("websocket", "close"),
            ] {
                let fields = ["Upgrade: \(name)", "Connection: \(connection)"]
                let line = try await RawConnection.firstLine(app, ["GET /health HTTP/1.1"] + fields)
                #expect(line == "HTTP/1.1 200 OK")
            }
            let handshake = [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: SGVsbG8sIHdvcmxkIQ==", "Content-Length: 2",
            ]
            let post = try await RawConnection.firstLine(
                app, ["POST /socket HTTP/1.1"] + handshake, body: "{}")
            #expect(post == "HTTP/1.1 405 Method Not Allowed")
            let get = try await RawConnection.firstLine(app, ["GET /socket HTTP/1.1"] + handshake, body: "{}")
            #expect(get == "HTTP/1.1 401 Unauthorized")
            let broken = try await RawConnection.firstLine(app, ["NONSENSE"])
            #expect(broken == "HTTP/1.1 400 Bad Request")
        }
    }

    @Test func `a request for the socket without an upgrade is 426`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            let answer = try await app.send("GET", "/socket", headers: try tenant.headers(app))
            #expect(answer.status == 426)
            #expect(answer.headers["upgrade"] == "websocket")
            #expect(try answer.code == "upgrade-required")
        }
    }

    @Test(arguments: badMessages)
    func `an unreadable or oversized message closes that socket and no other`(_ text: String, _ code: UInt16)
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { good in
                _ = try await good.next()
                try await subscribe(good)
                let headers = try tenant.headers(app)
                try await TestSocket.open(app, headers) { bad in
                    _ = try await bad.next()
                    try await bad.send(text: text)
                    #expect(try await bad.next() == .closed(code))
                }
                await app.services.live.changed(
                    environment: "harbor", user: "alice", topic: "test/a", version: 5)
                #expect(try await good.nextMessage() == .message(.changed(topic: "test/a", version: 5)))
            }
        }
    }

    @Test func `a message of a newer app is ignored, pings are answered, fragments are joined`() async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await socket.send(text: #"{"type":"from the future","x":1}"#)
                try await socket.send(.text, ByteBuffer(string: #"{"type":"subscribe","#), fin: false)
                try await socket.send(.continuation, ByteBuffer(string: #""topics":["test/a"]}"#))
                #expect(try await socket.nextMessage() == .message(.changed(topic: "test/a", version: 6005)))
            }
        }
    }

    @Test func `subscriptions count against the user's rate`() async throws {
        try await TestApp.run(configure: { $0.rates.perUser = 1 }) { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                // The upgrade was the first of a burst of four requests.
                for _ in 0..<4 { try await socket.subscribe(["test/none"]) }
                #expect(try await socket.nextMessage() == .closed(1008))
            }
        }
    }

    @Test func `a client that sends pings and never reads is disconnected`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app), receiveBuffer: 4_096) { socket in
                _ = try await socket.next()
                try await socket.stopReading()
                let data = ByteBuffer(repeating: 0, count: 125)
                // More than the server's kernel buffers, which may be 4 MB.
                for _ in 0..<200 where app.services.live.registry.count > 0 {
                    await socket.flood(.ping, data, count: 1_000)
                }
                try await eventually(within: .seconds(120)) { app.services.live.registry.count == 0 }
            }
        }
    }

    @Test func `frames that no client may send close the socket`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await socket.send(text: #"{"type":"subscribe","topics":[]}"#, masked: false)
                #expect(try await socket.next() == .closed(1002))
            }
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                try await socket.send(.binary, ByteBuffer(bytes: [1, 2, 3]))
                #expect(try await socket.next() == .closed(1003))
            }
        }
    }

    @Test func `a socket over the user's maximum closes the oldest`() async throws {
        try await TestApp.run(configure: { $0.socketsPerUser = 1 }) { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { first in
                _ = try await first.next()
                let alice = try tenant.headers(app), bob = try tenant.headers(app, user: "bob")
                try await TestSocket.open(app, bob) { other in _ = try await other.next() }
                try await TestSocket.open(app, alice) { second in
                    _ = try await second.next()
                    #expect(try await first.next() == .closed(1008))
                }
            }
        }
    }

    @Test func `a socket ends a minute after its token`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app, life: .seconds(1))) { socket in
                _ = try await socket.next()
                for _ in 0..<2 {
                    app.clock.advance(by: .seconds(30))
                    app.server.features.live.checkSockets()
                    #expect(try await socket.next() == .ping)
                    try await subscribe(socket)
                }
                app.clock.advance(by: .seconds(1))
                app.server.features.live.checkSockets()
                #expect(try await socket.nextMessage() == .closed(4001))
            }
        }
    }

    @Test func `every socket is pinged each half minute and closed when two pings stay unanswered`()
        async throws
    {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                for seconds in [29, 1, 29, 1] {
                    app.clock.advance(by: .seconds(seconds))
                    app.server.features.live.checkSockets()
                }
                #expect(try await socket.next() == .ping)
                #expect(try await socket.next() == .ping)
                app.clock.advance(by: .seconds(4))
                app.server.features.live.checkSockets()
                #expect(try await socket.next() == .closed(1001))
            }
        }
    }

    @Test func `a closed socket is removed from the registry`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            try await TestSocket.open(app, try tenant.headers(app)) { socket in
                _ = try await socket.next()
                #expect(app.services.live.registry.count == 1)
                try await socket.send(.connectionClose)
                #expect(try await socket.next() == .closed(1000))
                #expect(try await socket.next() == .closed(nil))
            }
            try await eventually(within: .seconds(120)) { app.services.live.registry.count == 0 }
        }
    }

    @Test func `two nodes on one PostgreSQL notify each other's sockets`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url) { first in
                try await TestApp.run(url: url) { second in
                    let tenant = try await TestTenant.make(first)
                    try await TestSocket.open(second, try tenant.headers(second)) { socket in
                        _ = try await socket.next()
                        try await subscribe(socket)
                        // The second node starts to listen at an unknown moment, and misses changes before it.
                        try await within {
                            var version: Int64 = 100
                            async let received = socket.nextMessage()
                            let done = Flag()
                            async let changesSent: Void = {
                                // The receiver that throws cancels this task.
                                while !done.isSet, !Task.isCancelled {
                                    version += 1
                                    await first.services.live.changed(
                                        environment: "harbor", user: "alice", topic: "test/a",
                                        version: version)
                                }
                            }()
                            guard case .message(.changed("test/a", let first)) = try await received else {
                                throw TestFailure("Not heard.")
                            }
                            done.set()
                            await changesSent
                            #expect(first > 100)
                        }
                    }
                }
            }
        }
    }

    @Test func `an API key revoked on one node is refused by the other`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url) { first in
                try await TestApp.run(url: url) { second in
                    let tenant = try await TestTenant.make(first)
                    let headers = try tenant.headers(second)
                    #expect(try await second.send("GET", "/test/whoami", headers: headers).status == 200)
                    try await first.services.environments.revokeApiKey("harbor", tenant.apiKey.id)
                    try await eventually(within: .seconds(120)) {
                        try await second.send("GET", "/test/whoami", headers: headers).status != 200
                    }
                    #expect(
                        try await second.send("GET", "/test/whoami", headers: headers).code == "unknown-key")
                }
            }
        }
    }

    @Test func `many changes fit into payloads of the database, in order`() throws {
        let changes = (0..<500).map {
            LiveChange(
                environmentID: "harbor", userID: "user \($0) ÄÖ \"\\", topic: "cards/main", version: Int64($0)
            )
        }
        let payloads = LiveEnvelope.payloads(changes, from: "node")
        #expect(payloads.allSatisfy { $0.utf8.count <= 7900 })
        let back = try payloads.flatMap {
            try JSONDecoder().decode(LiveEnvelope.self, from: Data($0.utf8)).changes
        }
        #expect(back == changes)
        #expect(LiveEnvelope.payloads([], from: "node").isEmpty)
    }
}
