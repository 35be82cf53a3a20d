import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// Tests of pages that are connected to surfaces over real sockets.
@Suite(.timeLimit(.minutes(5))) struct ViewTests {
    let surface = ProbeSurface()

    @Test func `a page reports its device's settings, and messages go both ways`() async throws {
        try await RunningHost.with([surface]) { host in
            let page = try await host.view(payload: [
                "colorScheme": "dark", "locale": "mi-NZ", "contentSize": "AX2",
            ])
            var runEvents = surface.runEvents.makeAsyncIterator()
            var environment = SurfaceEnvironment()
            environment.colorScheme = .dark
            environment.locale = "mi-NZ"
            environment.contentSize = .accessibilityLarge
            #expect(await runEvents.next() == .began(environment))
            try await page.send(RunningHost.message(id: "7", payload: ["name": "dismiss"]))
            #expect(await runEvents.next() == .received("7"))
            var messages = page.messages.makeAsyncIterator()
            let text = try #require(try await messages.next())
            let answer = try JSONDecoder().decode(SurfaceMessage.self, from: Data(text.utf8))
            #expect(answer.kind == "patch")
            #expect(answer.payload["name"]?.string == "dismiss")
        }
    }

    @Test func `a page that goes away ends its run and no other`() async throws {
        let other = ProbeSurface(name: "cards/inbox")
        try await RunningHost.with([surface, other]) { host in
            let page = try await host.view()
            let stays = try await host.view("cards/inbox")
            #expect(await surface.runEvents.first { $0 != .received("") } == .began(SurfaceEnvironment()))
            await page.close()
            guard case .ended? = await surface.runEvents.first(where: { _ in true }) else {
                Issue.record("the run went on")
                return
            }
            try await stays.send(RunningHost.message(id: "1", surface: "cards/inbox"))
            var messages = stays.messages.makeAsyncIterator()
            #expect(try await messages.next() != nil)
        }
    }

    @Test func `each page has a run of its own`() async throws {
        try await RunningHost.with([surface]) { host in
            let first = try await host.view(payload: ["locale": "de"])
            let second = try await host.view(payload: ["locale": "fr"])
            for (page, id) in [(first, "a"), (second, "b")] {
                try await page.send(RunningHost.message(id: id))
                var messages = page.messages.makeAsyncIterator()
                #expect(try await messages.next()?.contains("\"id\":\"\(id)\"") == true)
            }
            await first.close()
            try await second.send(RunningHost.message(id: "c"))
            var messages = second.messages.makeAsyncIterator()
            #expect(try await messages.next()?.contains("\"id\":\"c\"") == true)
        }
    }

    @Test func `a socket needs our origin, our secret and a surface we have`() async throws {
        try await RunningHost.with([surface]) { host in
            for origin in [
                "http://evil.example", "null", "https://127.0.0.1:\(host.host.port)", "http://127.0.0.1",
            ] {
                await refusal(403) { try await host.connect(origin: .some(origin)) }
            }
            await refusal(403) { try await host.connect(origin: .some(nil)) }
            await refusal(404) { try await host.connect("cards/other") }
            let stranger = try #require(
                URL(string: "ws://127.0.0.1:\(host.host.port)/guess/cards/home/socket"))
            await refusal(404) {
                try await host.transport.openSocket(
                    TransportRequest(url: stranger, headers: ["Origin": "http://127.0.0.1:\(host.host.port)"])
                )
            }
            #expect(try await host.get("cards/home/socket").status == 426)
        }
    }

    @Test func `a foreign host name gets no socket`() async throws {
        try await RunningHost.with([surface]) { host in
            let path = try host.url("cards/home/socket").path(percentEncoded: true)
            let line = try await host.raw(
                "GET \(path) HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            )
            #expect(line.contains(" 421 "), "\(line)")
        }
    }

    @Test(arguments: [
        "not JSON", "{}", "[]", #"{"surface":"cards/home","kind":"event","id":7,"payload":{}}"#,
        #"{"surface":"cards/other","kind":"event","id":"1","payload":{}}"#,
        String(repeating: "[", count: 60_000),
    ])
    func `a malformed message closes the socket that sent it and no other`(text: String) async throws {
        try await RunningHost.with([surface]) { host in
            let good = try await host.view()
            let bad = try await host.view()
            try await bad.send(text)
            #expect(await bad.isEnded())
            try await good.send(RunningHost.message(id: "1"))
            var messages = good.messages.makeAsyncIterator()
            #expect(try await messages.next() != nil)
        }
    }

    @Test func `a message over the limit closes the socket`() async throws {
        try await RunningHost.with([surface]) { host in
            let page = try await host.view()
            let maximum = try RunningHost.message(
                id: "1", payload: ["text": .string(String(repeating: "x", count: 261_000))])
            try await page.send(maximum)
            var messages = page.messages.makeAsyncIterator()
            #expect(try await messages.next() != nil)
            try await page.send(
                RunningHost.message(
                    id: "2", payload: ["text": .string(String(repeating: "x", count: 263_000))]))
            #expect(try await messages.next() == nil)
        }
    }

    @Test func `a flood of messages closes the socket`() async throws {
        var configuration = BrowserHost.Configuration()
        configuration.messagesPerSecond = 1
        try await RunningHost.with([surface], configuration: configuration) { host in
            let page = try await host.view()
            for id in 1...20 { try? await page.send(RunningHost.message(id: String(id))) }
            #expect(await page.isEnded())
        }
    }

    @Test func `a page that does not send ready in time loses its socket`() async throws {
        var configuration = BrowserHost.Configuration()
        configuration.readyLimit = .milliseconds(100)
        try await RunningHost.with([surface], configuration: configuration) { host in
            let silent = try await host.connect()
            #expect(await silent.isEnded())
        }
    }

    @Test func `a page that sends anything before ready loses its socket`() async throws {
        try await RunningHost.with([surface]) { host in
            let hasty = try await host.connect()
            try await hasty.send(RunningHost.message(id: "1"))
            #expect(await hasty.isEnded())
        }
    }

    @Test func `a page over the limit is refused until another page has left`() async throws {
        var configuration = BrowserHost.Configuration()
        configuration.maximumViews = 1
        try await RunningHost.with([surface], configuration: configuration) { host in
            let first = try await host.view()
            await refusal(503) { try await host.connect() }
            await first.close()
            // The host counts a page until its connection is closed, which may be after the end of its run.
            try await eventually {
                do {
                    try await host.connect().close()
                    return true
                } catch TransportError.upgradeRefused(status: 503) {
                    return false
                }
            }
        }
    }

    @Test func `of two pages that connect at once only as many as the limit are accepted`() async throws {
        var configuration = BrowserHost.Configuration()
        configuration.maximumViews = 1
        try await RunningHost.with([surface], configuration: configuration) { host in
            let path = try host.url("cards/home/socket").path(percentEncoded: true)
            let origin = "127.0.0.1:\(host.host.port)"
            // The host accepts the page by the head of its request, and opens the socket after the body.
            let head =
                "GET \(path) HTTP/1.1\r\nHost: \(origin)\r\nOrigin: http://\(origin)\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                + "Content-Length: 1\r\n\r\n"
            var second: (any TransportSocket)?
            let line = try await host.raw(head, rest: "x") { second = try? await host.connect() }
            let isSecondAccepted = second != nil
            #expect(line.contains(" 101 ") != isSecondAccepted, "\(line)")
            await second?.close()
        }
    }

    @Test func `stopping ends every run and every socket, and the port is free again`() async throws {
        let host = try await BrowserHost.start(surfaces: [surface])
        let running = RunningHost(host: host, transport: try .init())
        async let serving: Void = host.run()
        let page = try await running.view()
        #expect(await surface.runEvents.first { _ in true } == .began(SurfaceEnvironment()))
        await host.stop()
        await serving
        #expect(await page.isEnded())
        guard case .ended? = await surface.runEvents.first(where: { _ in true }) else {
            Issue.record("the run went on")
            return
        }
        await #expect(throws: TransportError.self) { try await running.get("") }
        await host.stop()
    }

    @Test func `cancelling the serving task ends it as stopping does`() async throws {
        let host = try await BrowserHost.start(surfaces: [surface])
        let running = RunningHost(host: host, transport: try .init())
        // The task ends by its cancellation below.
        let serving = Task { await host.run() }
        let page = try await running.view()
        #expect(await surface.runEvents.first { _ in true } == .began(SurfaceEnvironment()))
        serving.cancel()
        await serving.value
        #expect(await surface.runEvents.first { _ in true } == .ended(cancelled: true))
        #expect(await page.isEnded())
    }

    private func refusal(
        _ status: Int, location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> any TransportSocket
    ) async {
        do {
            await (try body()).close()
            Issue.record("the socket was opened", sourceLocation: location)
        } catch {
            #expect(
                error as? TransportError == .upgradeRefused(status: status), "\(error)",
                sourceLocation: location)
        }
    }
}
