import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Variables {
        private static let layout = CardLayout(
            nodes: [.headline("{{numberOfItems}} of {{total}}")],
            variables: [
                CardVariable(name: "numberOfItems", defaultValue: .string("no"), isRuntime: true),
                CardVariable(name: "total", defaultValue: .string("all"), isRuntime: true),
            ])

        private func fixture(_ cards: [String] = ["a", "b"], socket: Bool = false) throws -> AtomicFixture {
            let fixture = try AtomicFixture(socket: socket)
            try fixture.serve(1, cards.map { AtomicFixture.card($0) }, layout: Self.layout)
            return fixture
        }

        private func configuration(_ delegate: (any AACRuntimeVariableDelegate)?, limit: TimeInterval = 5)
            -> AACStreamContainerObserverConfiguration
        {
            let configuration = AACStreamContainerObserverConfiguration()
            configuration.runtimeVariableDelegate = delegate
            configuration.runtimeVariableResolutionTimeout = limit
            return configuration
        }

        private func headlines(_ cards: [AACCardInstance]?) -> [String] {
            (cards ?? []).compactMap { ($0.defaultLayout.nodes.first as? AACCardNodeHeading1)?.text }
        }

        @Test func `the delegate resolves each card, and variables that it omits keep their defaults`()
            async throws
        {
            let fixture = try fixture()
            let resolver = Resolver { card in card.detail.cardId == "a" ? "12" : "5" }
            let seen = fixture.observe(configuration(resolver))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["12 of all", "5 of all"])
            #expect(resolver.requests == [["a", "b"]])
            #expect(
                resolver.events == ["event-a", "event-b"] && resolver.lifecycles == ["life-a", "life-b"])
            await fixture.logout()
        }

        @Test func `without a delegate, or with one that lacks the method, defaults show at once`()
            async throws
        {
            let silent = Silent()
            for delegate in [nil, silent] as [(any AACRuntimeVariableDelegate)?] {
                let fixture = try fixture()
                let seen = fixture.observe(configuration(delegate))
                try await seen.until(1)
                #expect(headlines(seen.calls[0]) == ["no of all", "no of all"])
                #expect(fixture.clock.now() == AtomicFixture.noon)
                await fixture.logout()
            }
        }

        @Test(arguments: [1.0, 5.0]) func `when the delegate times out, every variable has its default`(
            limit: TimeInterval
        ) async throws {
            let fixture = try fixture()
            let late = Resolver(isHeld: true) { _ in "12" }
            let seen = fixture.observe(configuration(late, limit: limit))
            try await late.calls.until(1)
            try await fixture.clock.untilSleeping(for: .microseconds(Int64(limit * 1_000_000)))
            #expect(seen.calls.isEmpty)
            fixture.clock.advance(by: .microseconds(Int64(limit * 1_000_000)))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["no of all", "no of all"])
            late.release()
            try fixture.serve(2, ["a", "b", "c"].map { AtomicFixture.card($0) }, layout: Self.layout)
            try await eventually { fixture.clock.sleepers.contains(AtomicFixture.noon + .seconds(15)) }
            // Not further: the second request would time out before the delegate answers it.
            fixture.clock.advance(by: .microseconds(Int64((15 - limit) * 1_000_000)))
            try await late.calls.until(2)
            late.release()
            // The late answer caused no call between the defaults and the next cards.
            try await seen.until(2)
            #expect(headlines(seen.calls[1]) == ["12 of all", "12 of all", "12 of all"])
            await fixture.logout()
        }

        @Test
        func `the delegate is asked again when new cards come by socket, and not when none has a variable`()
            async throws
        {
            let fixture = try fixture(["a"], socket: true)
            let resolver = Resolver { _ in "1" }
            let seen = fixture.observe(configuration(resolver))
            try await seen.until(1)
            let socket = try await fixture.server.untilSocket()
            try await socket.untilSubscribed(["cards/1"])
            try fixture.serve(2, [AtomicFixture.card("a"), AtomicFixture.card("b")], layout: Self.layout)
            socket.push(.changed(topic: "cards/1", version: 2))
            try await seen.until(2)
            #expect(resolver.requests == [["a"], ["a", "b"]])
            try fixture.serve(3, [AtomicFixture.card("plain")])
            socket.push(.changed(topic: "cards/1", version: 3))
            try await seen.until(3)
            #expect(resolver.requests.count == 2)
            await fixture.logout()
        }

        @Test func `the delegate is asked again when new cards come by polling`() async throws {
            let fixture = try fixture(["a"])
            let resolver = Resolver { _ in "1" }
            let seen = fixture.observe(configuration(resolver))
            try await seen.until(1)
            try fixture.serve(2, [AtomicFixture.card("a"), AtomicFixture.card("b")], layout: Self.layout)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            fixture.clock.advance(by: .seconds(15))
            try await seen.until(2)
            #expect(resolver.requests.count == 2)
            await fixture.logout()
        }

        @Test func `resolved values are analytics only when the app asks for it`() async throws {
            for isSent in [false, true] {
                let fixture = try fixture(["a", "b"])
                let resolver = Resolver { $0.detail.cardId == "a" ? "12" : "5" }
                let configuration = configuration(resolver)
                configuration.sendRuntimeVariableAnalytics = isSent
                let events = CallRecorder<AACSDKEvent>()
                AACSession.observeSDKEvents { event in
                    if event is AACSDKEventRuntimeVarsUpdated { events.add(event) }
                }
                try await fixture.observe(configuration).until(1)
                try await events.until(2)
                await fixture.logout()
                AACSession.stopObservingSDKEvents()
                let received = events.calls.compactMap { $0 as? AACSDKEventRuntimeVarsUpdated }
                #expect(received.map(\.cardInstanceId) == ["a", "b"])
                #expect(received.map { $0.resolvedVariables["numberOfItems"] as? String } == ["12", "5"])
                let sent = try fixture.analytics.filter { $0.name == "runtime-vars-updated" }
                #expect(
                    sent.map { $0.properties["variables"] }
                        == (isSent ? [["numberOfItems": "12"], ["numberOfItems": "5"]] : []))
            }
        }

        @Test func `a second answer of the delegate is ignored`() async throws {
            let fixture = try fixture(["a"])
            let resolver = Resolver(repeats: true) { _ in "1" }
            let seen = fixture.observe(configuration(resolver))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["1 of all"])
            try fixture.serve(2, ["a", "b"].map { AtomicFixture.card($0) }, layout: Self.layout)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            fixture.clock.advance(by: .seconds(15))
            // A call for the second answer would have come before the next cards.
            try await seen.until(2)
            #expect(headlines(seen.calls[1]) == ["1 of all", "1 of all"])
            await fixture.logout()
        }
    }
}

/// Resolves `numberOfItems` as a host app does.
@MainActor private final class Resolver: AACRuntimeVariableDelegate {
    private(set) var requests: [[String]] = []
    let calls = CallRecorder<Int>()
    private(set) var events: [String] = []
    private(set) var lifecycles: [String] = []
    private let isHeld, repeats: Bool
    private let value: @MainActor (AACCardInstance) -> String
    private var held: [@MainActor () -> Void] = []

    init(isHeld: Bool = false, repeats: Bool = false, value: @escaping @MainActor (AACCardInstance) -> String)
    {
        (self.isHeld, self.repeats, self.value) = (isHeld, repeats, value)
    }

    func cardSessionDidRequestRuntimeVariables(
        _ cardsToResolve: [AACCardInstance], completionHandler: @escaping AACSessionRuntimeVariablesHandler
    ) {
        requests.append(cardsToResolve.map(\.cardInstanceId))
        calls.add(requests.count)
        (events, lifecycles) = (cardsToResolve.map(\.eventName), cardsToResolve.map(\.lifecycleId))
        for card in cardsToResolve {
            card.resolveRuntimeVariable(withName: "numberOfItems", value: value(card))
        }
        guard !isHeld else { return held.append { completionHandler(cardsToResolve) } }
        completionHandler(cardsToResolve)
        guard repeats else { return }
        cardsToResolve.forEach { $0.resolveRuntimeVariable(withName: "numberOfItems", value: "2") }
        completionHandler(cardsToResolve)
    }

    func release() { held.forEach { $0() } }
}

/// A delegate that does not implement the method.
@MainActor private final class Silent: AACRuntimeVariableDelegate {}
