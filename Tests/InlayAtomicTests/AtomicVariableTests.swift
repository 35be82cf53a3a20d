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

        private func stage(_ cards: [String] = ["a", "b"], socket: Bool = false) throws -> AtomicStage {
            let stage = try AtomicStage(socket: socket)
            try stage.serve(1, cards.map { AtomicStage.card($0) }, layout: Self.layout)
            return stage
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

        @Test func `the delegate resolves each card on its own, and what it leaves out keeps its default`()
            async throws
        {
            let stage = try stage()
            let resolver = Resolver { card in card.detail.cardId == "a" ? "12" : "5" }
            let seen = stage.observe(configuration(resolver))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["12 of all", "5 of all"])
            #expect(resolver.asked == [["a", "b"]])
            #expect(
                resolver.events == ["event-a", "event-b"] && resolver.lifecycles == ["life-a", "life-b"])
            await stage.logout()
        }

        @Test func `without a delegate, or with one that lacks the method, defaults show at once`()
            async throws
        {
            let silent = Silent()
            for delegate in [nil, silent] as [(any AACRuntimeVariableDelegate)?] {
                let stage = try stage()
                let seen = stage.observe(configuration(delegate))
                try await seen.until(1)
                #expect(headlines(seen.calls[0]) == ["no of all", "no of all"])
                #expect(stage.clock.now() == AtomicStage.noon)
                await stage.logout()
            }
        }

        @Test(arguments: [1.0, 5.0]) func `a delegate that is too late gives every variable its default`(
            limit: TimeInterval
        ) async throws {
            let stage = try stage()
            let late = Resolver(isHeld: true) { _ in "12" }
            let seen = stage.observe(configuration(late, limit: limit))
            try await late.calls.until(1)
            try await stage.clock.untilSleeping(for: .microseconds(Int64(limit * 1_000_000)))
            #expect(seen.calls.isEmpty)
            stage.clock.advance(by: .microseconds(Int64(limit * 1_000_000)))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["no of all", "no of all"])
            late.release()
            try stage.serve(2, ["a", "b", "c"].map { AtomicStage.card($0) }, layout: Self.layout)
            try await eventually { stage.clock.sleepers.contains(AtomicStage.noon + .seconds(15)) }
            // Not further, or the time of the second question would be over before its answer.
            stage.clock.advance(by: .microseconds(Int64((15 - limit) * 1_000_000)))
            try await late.calls.until(2)
            late.release()
            // Between the defaults and the next cards nothing came of the late answer.
            try await seen.until(2)
            #expect(headlines(seen.calls[1]) == ["12 of all", "12 of all", "12 of all"])
            await stage.logout()
        }

        @Test
        func `the delegate is asked again when new cards come by socket, and not when none has a variable`()
            async throws
        {
            let stage = try stage(["a"], socket: true)
            let resolver = Resolver { _ in "1" }
            let seen = stage.observe(configuration(resolver))
            try await seen.until(1)
            let socket = try await stage.server.untilSocket()
            try await socket.untilSubscribed(["cards/1"])
            try stage.serve(2, [AtomicStage.card("a"), AtomicStage.card("b")], layout: Self.layout)
            socket.push(.changed(topic: "cards/1", version: 2))
            try await seen.until(2)
            #expect(resolver.asked == [["a"], ["a", "b"]])
            try stage.serve(3, [AtomicStage.card("plain")])
            socket.push(.changed(topic: "cards/1", version: 3))
            try await seen.until(3)
            #expect(resolver.asked.count == 2)
            await stage.logout()
        }

        @Test func `the delegate is asked again when new cards come by polling`() async throws {
            let stage = try stage(["a"])
            let resolver = Resolver { _ in "1" }
            let seen = stage.observe(configuration(resolver))
            try await seen.until(1)
            try stage.serve(2, [AtomicStage.card("a"), AtomicStage.card("b")], layout: Self.layout)
            try await stage.clock.untilSleeping(for: .seconds(15))
            stage.clock.advance(by: .seconds(15))
            try await seen.until(2)
            #expect(resolver.asked.count == 2)
            await stage.logout()
        }

        @Test func `resolved values are analytics only when the app asks for it`() async throws {
            for isSent in [false, true] {
                let stage = try stage(["a", "b"])
                let resolver = Resolver { $0.detail.cardId == "a" ? "12" : "5" }
                let configuration = configuration(resolver)
                configuration.sendRuntimeVariableAnalytics = isSent
                let events = Observation<AACSDKEvent>()
                AACSession.observeSDKEvents { event in
                    if event is AACSDKEventRuntimeVarsUpdated { events.add(event) }
                }
                try await stage.observe(configuration).until(1)
                try await events.until(2)
                await stage.logout()
                AACSession.stopObservingSDKEvents()
                let told = events.calls.compactMap { $0 as? AACSDKEventRuntimeVarsUpdated }
                #expect(told.map(\.cardInstanceId) == ["a", "b"])
                #expect(told.map { $0.resolvedVariables["numberOfItems"] as? String } == ["12", "5"])
                let sent = try stage.analytics.filter { $0.name == "runtime-vars-updated" }
                #expect(
                    sent.map { $0.properties["variables"] }
                        == (isSent ? [["numberOfItems": "12"], ["numberOfItems": "5"]] : []))
            }
        }

        @Test func `an answer that comes twice counts once`() async throws {
            let stage = try stage(["a"])
            let resolver = Resolver(repeats: true) { _ in "1" }
            let seen = stage.observe(configuration(resolver))
            try await seen.until(1)
            #expect(headlines(seen.calls[0]) == ["1 of all"])
            #expect(seen.calls.count == 1)
            await stage.logout()
        }
    }
}

/// Resolves `numberOfItems` as a host app does.
@MainActor private final class Resolver: AACRuntimeVariableDelegate {
    private(set) var asked: [[String]] = []
    let calls = Observation<Int>()
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
        asked.append(cardsToResolve.map(\.cardInstanceId))
        calls.add(asked.count)
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
