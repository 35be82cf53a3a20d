import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Events {
        /// Runs `body` with an observer of SDK events; returns the observed events and those sent to the platform.
        private func events(
            until count: Int, _ body: (AtomicFixture) async throws -> Void
        ) async throws -> (received: [AACSDKEvent], sent: [AnalyticsEvent]) {
            let fixture = try AtomicFixture(login: false)
            let seen = CallRecorder<AACSDKEvent>()
            AACSession.observeSDKEvents { seen.add($0) }
            try fixture.login()
            try await body(fixture)
            try await seen.until(count)
            await fixture.logout()
            AACSession.stopObservingSDKEvents()
            return (seen.calls.compactMap { $0 }, try fixture.analytics)
        }

        @Test func `dismissing, snoozing and submitting are observed and sent, each with its class`()
            async throws
        {
            let (received, sent) = try await events(until: 4) { fixture in
                _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
                _ = await fixture.run(
                    AACSessionCardAction(snoozeActionWithContainerId: "1", cardId: "b", snoozeInterval: 60))
                _ = await fixture.run(
                    AACSessionCardAction(
                        submitActionWithContainerId: "1", cardId: "c", submitButtonName: "go",
                        submitValues: ["n": 1]))
            }
            let dismissed = try #require(
                received.first { $0.eventType == .cardDismissed } as? AACSDKEventCardDismissed)
            #expect(dismissed.eventName == "card-dismissed" && dismissed.cardInstanceId == "a")
            #expect(dismissed.streamContainerId == "1" && dismissed.endUserId == "user-1")
            let snoozed = try #require(
                received.first { $0.eventType == .cardSnoozed } as? AACSDKEventCardSnoozed)
            #expect(snoozed.eventName == "card-snoozed" && snoozed.snoozePeriod.second == 60)
            #expect(snoozed.unsnoozeDate == Date(timeIntervalSince1970: AtomicFixture.noon.seconds + 60))
            let completed = try #require(
                received.first { $0.eventType == .cardCompleted } as? AACSDKEventCardCompleted)
            #expect(completed.eventName == "card-completed" && completed.submittedValues["n"] as? Int == 1)
            let names = sent.map(\.name)
            #expect(["card-dismissed", "card-snoozed", "card-completed"].allSatisfy { names.contains($0) })
        }

        @Test func `the start of the SDK is observed and sent, and so is each refreshed token`() async throws
        {
            let fixture = try AtomicFixture(login: false)
            let seen = CallRecorder<AACSDKEvent>()
            AACSession.observeSDKEvents { if $0 is AACSDKEventSDKInitialized { seen.add($0) } }
            // The token is valid for the request that waits for it, but not for the next request.
            fixture.user.lifetime = .seconds(30)
            try fixture.login()
            try await seen.until(1)
            fixture.server.always(InlayPath.cardCounts, try .json(CardCounts(containers: [:])))
            await withCheckedContinuation { done in AACSession.userMetrics { _, _ in done.resume() } }
            await withCheckedContinuation { done in AACSession.userMetrics { _, _ in done.resume() } }
            try await seen.until(2)
            #expect(
                seen.calls.allSatisfy {
                    $0?.eventName == "sdk-initialized" && $0?.eventType == .sdkInitialized
                })
            // The event is stored a moment after the observer received it; then the lane waits to send it.
            try await fixture.clock.untilSleeping(for: .seconds(3))
            await fixture.logout()
            AACSession.stopObservingSDKEvents()
            #expect(try fixture.analytics.contains { $0.name == "sdk-initialized" })
        }

        @Test func `a changed feed is observed and never sent`() async throws {
            let (received, sent) = try await events(until: 2) { fixture in
                try fixture.serve(1, [AtomicFixture.card("a")])
                try await fixture.observe().until(1)
            }
            let updated = try #require(
                received.first { $0.eventType == .cardFeedUpdated } as? AACSDKEventCardFeedUpdated)
            #expect(updated.eventName == "card-feed-updated" && updated.cardCount == 1)
            #expect(!sent.contains { $0.name == "card-feed-updated" })
        }

        @Test func `a request that the platform refused is observed and sent, one without a network is not`()
            async throws
        {
            let (received, sent) = try await events(until: 3) { fixture in
                for answer in [
                    ScriptedResponse.failure(.unreachable("offline")), .failure(.timedOut), .status(500),
                ] {
                    fixture.server.always(InlayPath.cardCounts, answer)
                    await withCheckedContinuation { done in AACSession.userMetrics { _, _ in done.resume() } }
                }
                // The last event of this test: after its arrival no earlier event is missing.
                _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            }
            let failed = received.compactMap { $0 as? AACSDKEventRequestFailed }
            #expect(failed.map(\.failedEndpoint) == [InlayPath.cardCounts])
            #expect(failed.first?.failedStatusCode == 500 && failed.first?.eventName == "request-failed")
            #expect(sent.filter { $0.name == "request-failed" }.count == 1)
        }

        @Test func `a socket that fails and is replaced by polling is observed as a failed request`()
            async throws
        {
            let (received, _) = try await events(until: 2) { fixture in
                try fixture.serve(1, [])
                let seen = fixture.observe()
                try await seen.until(1)
                try await fixture.clock.untilSleeping(for: .seconds(15))
            }
            let failed = received.compactMap { $0 as? AACSDKEventRequestFailed }
            #expect(failed.map(\.failedEndpoint) == [InlayPath.socket])
        }

        @Test func `a second observer replaces the first, and nil or stop removes it`() async throws {
            let fixture = try AtomicFixture()
            let (first, second, third) = (
                CallRecorder<AACSDKEvent>(), CallRecorder<AACSDKEvent>(), CallRecorder<AACSDKEvent>()
            )
            func dismiss(_ card: String) async {
                _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: card))
            }
            AACSession.observeSDKEvents { if $0 is AACSDKEventCardDismissed { first.add($0) } }
            AACSession.observeSDKEvents { if $0 is AACSDKEventCardDismissed { second.add($0) } }
            await dismiss("a")
            try await second.until(1)
            AACSession.observeSDKEvents(completionHandler: nil)
            await dismiss("b")
            AACSession.observeSDKEvents { if $0 is AACSDKEventCardDismissed { third.add($0) } }
            await dismiss("c")
            try await third.until(1)
            AACSession.stopObservingSDKEvents()
            await dismiss("d")
            await fixture.logout()
            #expect(first.calls.isEmpty)
            #expect(second.calls.map { ($0 as? AACSDKEventCREVT)?.cardInstanceId } == ["a"])
            #expect(third.calls.last.map { ($0 as? AACSDKEventCREVT)?.cardInstanceId } == "c")
        }

        @Test func `the raw contents hold every typed value`() async throws {
            let (received, _) = try await events(until: 2) { fixture in
                _ = await fixture.run(
                    AACSessionCardAction(snoozeActionWithContainerId: "1", cardId: "b", snoozeInterval: 60))
            }
            let raw = try #require(received.first { $0.eventType == .cardSnoozed }).getRawContents()
            #expect(raw["cardInstanceId"] as? String == "b" && raw["streamContainerId"] as? String == "1")
            #expect(raw["eventName"] as? String == "card-snoozed" && raw["endUserId"] as? String == "user-1")
            #expect(raw["seconds"] as? Int == 60 && raw["eventId"] is String && raw["timestamp"] is Date)
        }

        @Test
        func `a container on screen reports user actions to its delegate, and events of the screen are sent`()
            async throws
        {
            let fixture = try AtomicFixture()
            fixture.server.always(
                InlayPath.cardAppearance(container: "1"),
                try .json(CardAppearance(version: 1, light: CardTheme())))
            let button = CardSubmitButton(
                text: "Go", buttonName: "go", action: .payload(["screen": "home-screen"]))
            try fixture.serve(
                1, ["a", "b", "c"].map { AtomicFixture.card($0) },
                layout: CardLayout(nodes: [.submitButton(button)]))
            let host = ContainerApp()
            let configuration = AACConfiguration()
            (configuration.cardEventDelegate, configuration.actionDelegate) = (host, host)
            let container = AACStreamContainerViewController(identifier: "1", configuration: configuration)
            let surface = try await container.surface()
            let (incoming, page) = AsyncStream.makeStream(of: SurfaceMessage.self)
            let (drawn, draw) = AsyncStream.makeStream(of: SurfaceMessage.self)
            let patches = StreamRecorder(drawn)
            // Ends at `page.finish()`.
            let shown = Task { await surface.run(SurfaceLink(events: incoming) { draw.yield($0) }) }
            try await patches.until { "\($0.payload)".contains("card/a") }
            func user(_ name: String, _ values: [String: JSONValue]) {
                let payload = values.merging(["name": .string(name)]) { old, _ in old }
                page.yield(
                    SurfaceMessage(surface: "cards/1", kind: "event", id: "1", payload: .object(payload)))
            }
            user("displayed", ["card": "a"])
            user("dismiss", ["card": "a"])
            try await host.received.until(1)
            user(
                "snooze-until",
                ["card": "b", "value": .string(String((AtomicFixture.noon + .seconds(60)).microseconds))])
            try await host.received.until(2)
            user("submit", ["card": "c", "node": "0", "values": [:]])
            try await host.received.until(3)
            try await host.actions.until(1)
            #expect(host.received.calls == [.dismissed, .snoozed, .submitted])
            let action = try #require(host.actions.calls.first ?? nil)
            #expect(action.actionPayload["screen"] as? String == "home-screen")
            #expect(action.cardInstanceId == "c" && action.containerId == "1")
            page.finish()
            await shown.value
            await fixture.logout()
            let names = Set(try fixture.analytics.map(\.name))
            #expect(
                names.isSuperset(of: [
                    "card-displayed", "stream-displayed", "card-dismissed", "user-redirected",
                ]))
        }
    }
}

/// A host app that records a container's card events and custom actions.
@MainActor private final class ContainerApp: AACCardEventDelegate, AACStreamContainerActionDelegate {
    let received = CallRecorder<AACCardEventKind>()
    let actions = CallRecorder<AACCardCustomAction>()

    func streamContainer(
        _ streamContainerVc: AACStreamContainerViewController, didTriggerCardEvent event: AACCardEvent
    ) {
        received.add(event.kind)
    }

    func streamContainerDidTapSubmitButton(
        _ streamContainer: AACStreamContainerViewController, with action: AACCardCustomAction
    ) {
        actions.add(action)
    }
}
