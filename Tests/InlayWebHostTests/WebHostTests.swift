import Foundation
import InlayTesting
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
@_spi(Inlay) import InlayWire
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct WebHostTests {
    let surface = EchoSurface()
    let clock = ManualClock()

    private func view(_ limits: PageLimits = PageLimits()) throws -> ScriptedView {
        let view = ScriptedView(WebHost(surface, limits: limits, clock: clock))
        try view.host.start()
        return view
    }

    /// Returns a view whose page is ready.
    private func ready(_ limits: PageLimits = PageLimits()) async throws -> ScriptedView {
        let view = try view(limits)
        try view.send("ready")
        #expect(await next(.began))
        return view
    }

    private func next(_ expected: EchoSurface.RunEvent) async -> Bool {
        var runEvents = surface.runEvents.makeAsyncIterator()
        return await runEvents.next() == expected
    }

    // MARK: - Messages

    @Test func `a page receives its surface's messages`() async throws {
        let view = try await ready()
        #expect(view.loaded == [view.host.address])
        try view.send("event", ["name": "it's \"there\" </script>\u{2028}"])
        try await eventually { !view.scripts.isEmpty }
        let script = try #require(view.scripts.first)
        #expect(script.hasPrefix("inlayReceive(") && script.hasSuffix(")"))
        let literal = script.dropFirst("inlayReceive(".count).dropLast()
        let text = try JSONDecoder().decode(String.self, from: Data(literal.utf8))
        let message = try JSONDecoder().decode(SurfaceMessage.self, from: Data(text.utf8))
        #expect(message.payload["name"] == "it's \"there\" </script>\u{2028}")
    }

    @Test func `a message without the page's token is ignored`() async throws {
        let view = try view()
        view.host.received(try ScriptedView.text("ready"))
        view.host.received(try String(repeating: "0", count: 64) + ScriptedView.text("ready"))
        view.host.received("")
        try view.send("ready")
        try view.send("event", ["name": "mine"])
        #expect(await next(.began))
        try await eventually { !view.scripts.isEmpty }
        #expect(view.scripts.count == 1 && view.loaded.count == 1)
    }

    @Test func `messages of the former page are ignored after a reload`() async throws {
        let view = try await ready()
        let former = try view.token
        view.host.processEnded()
        try await eventually { view.loaded.count == 2 }
        #expect(await next(.ended))
        view.host.received(try former + ScriptedView.text("ready"))
        view.host.received(try former + ScriptedView.text("size", ["height": 7]))
        #expect(view.heights.isEmpty)
        try view.send("ready")
        try view.send("event", ["name": "mine"])
        #expect(await next(.began))
        try await eventually { view.scripts.contains { $0.contains("mine") } }
    }

    @Test func `events before a page is ready do not reach its surface`() async throws {
        let view = try view()
        try view.send("event", ["name": "early"])
        try view.send("size", ["height": 20])
        try view.send("ready")
        try view.send("event", ["name": "mine"])
        #expect(await next(.began))
        try await eventually { !view.scripts.isEmpty }
        #expect(view.scripts.count == 1 && view.scripts[0].contains("mine"))
        #expect(view.heights == [20])
    }

    @Test(arguments: ["flood", "ready", "frames", "size", "text", "name", "kind"])
    func `a page that breaks a limit is loaded again, and its run of the surface ends`(_ fault: String)
        async throws
    {
        var limits = PageLimits()
        limits.messagesPerSecond = 1
        limits.maximumMessageBytes = 1_000
        let view = try await ready(limits)
        switch fault {
        case "flood": for _ in 0..<500 { try view.send("event") }
        case "ready": for _ in 0..<500 { try view.send("ready") }
        case "frames": for _ in 0..<500 { view.host.received("") }
        case "size": try view.send("event", ["name": .string(String(repeating: "a", count: 1_000))])
        case "text": view.host.received(try view.token + "{")
        case "name": try view.send("event", surface: "cards/other")
        default: view.host.received(try view.token + #"{"surface":"cards/home"}"#)
        }
        try await eventually { view.loaded.count == 2 }
        #expect(await next(.ended))
    }

    // MARK: - Sizes

    @Test func `each change of the content's height is reported once, and invalid heights are not`()
        async throws
    {
        let view = try await ready()
        for height: JSONValue in [120, 120, -1, 1e12, "300", 240, .null] {
            try view.send("size", ["height": height])
        }
        #expect(view.heights == [120, 240])
    }

    // MARK: - Runs

    @Test func `a page that is ready again starts a new run, and the former run sends nothing`()
        async throws
    {
        let view = try await ready()
        try view.send("ready")
        // Neither run waits for the other, so that the order is not defined.
        var runEvents = surface.runEvents.makeAsyncIterator()
        #expect(await Set([runEvents.next(), runEvents.next()]) == [.ended, .began])
        try view.send("event", ["name": "mine"])
        try await eventually { !view.scripts.isEmpty }
        #expect(view.scripts.count == 1 && view.scripts[0].contains("mine"))
    }

    @Test func `a page whose surface has ended its run is loaded again`() async throws {
        let view = try await ready()
        try view.send("event", ["name": "end"])
        #expect(await next(.ended))
        try await eventually { view.loaded.count == 2 }
    }

    @Test func `a host that the app drops ends the run of its surface`() async throws {
        var view: ScriptedView? = try await ready()
        #expect(view != nil)
        view = nil
        #expect(await next(.ended))
    }

    @Test func `after its end a host loads nothing and ignores messages`() async throws {
        let view = try await ready()
        view.host.end()
        #expect(await next(.ended))
        view.host.processEnded()
        try view.host.start()
        try view.send("size", ["height": 5])
        // A host that has not ended reloads at once. When it has, the ended host would have reloaded too.
        let other = ScriptedView(WebHost(EchoSurface(name: "cards/other"), clock: clock))
        try other.host.start()
        other.host.processEnded()
        try await eventually { other.loaded.count == 2 }
        #expect(view.loaded.count == 1 && view.heights.isEmpty)
    }

    // MARK: - Failures

    @Test func `a page whose process ended is loaded again and has a run of its own`() async throws {
        let view = try await ready()
        view.host.processEnded()
        #expect(await next(.ended))
        try await eventually { view.loaded.count == 2 }
        try view.send("ready")
        #expect(await next(.began))
    }

    @Test func `a page that fails again and again is loaded after longer and longer waits`() async throws {
        let view = try view()
        view.host.processEnded()
        try await eventually { view.loaded.count == 2 }
        for (count, seconds) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            view.host.processEnded()
            try await clock.untilSleeping(for: .seconds(seconds))
            #expect(clock.sleepers.count == 1)
            clock.advance(by: .seconds(seconds))
            try await eventually { view.loaded.count == count + 3 }
        }
    }

    @Test func `failures before a page that was shown for more than a minute do not count`() async throws {
        let view = try await ready()
        for count in 2...5 {
            clock.advance(by: .seconds(61))
            view.host.processEnded()
            try await eventually { view.loaded.count == count }
            try view.send("ready")
        }
    }

    @Test func `a page that does not become ready within a minute is loaded again`() async throws {
        let view = try view()
        try await clock.untilSleeping(for: .seconds(60))
        clock.advance(by: .seconds(60))
        try await eventually { view.loaded.count == 2 }
    }
}
