import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct LogOut {
        @Test func `log-out sends pending analytics before its handler runs, with no error`() async throws {
            let fixture = try AtomicFixture()
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            #expect(await fixture.logout() == nil)
            #expect(try fixture.analytics.contains { $0.name == "card-dismissed" })
        }

        @Test
        func `a log-out that cannot reach the platform is a network error with its cause, and still clears`()
            async throws
        {
            let fixture = try AtomicFixture()
            try await load(fixture)
            fixture.server.always(InlayPath.analytics, .failure(.unreachable("offline")))
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            let error = try #require(await fixture.logout())
            #expect(error.domain == AACSessionLogoutErrorDomain)
            #expect(AACSessionLogoutError.Code(rawValue: error.code) == .networkError)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(!fixture.folder.names.contains { $0.hasPrefix("user-") })
        }

        @Test func `analytics that the platform rejects make a data error with its cause`() async throws {
            let fixture = try AtomicFixture()
            fixture.server.always(InlayPath.analytics, .status(500))
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            let error = try #require(await fixture.logout())
            #expect(error.domain == AACSessionLogoutErrorDomain)
            #expect(AACSessionLogoutError.Code(rawValue: error.code) == .dataError)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
        }

        @Test func `nothing of a user is left for the next one: no cards, no token, no requests`()
            async throws
        {
            let fixture = try AtomicFixture()
            try await load(fixture)
            #expect(fixture.folder.names.contains { $0.hasPrefix("user-") })
            let seen = fixture.observe()
            try await seen.until(1)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            await fixture.logout()
            #expect(!fixture.folder.names.contains { $0.hasPrefix("user-") })
            // A poll that is left would sleep until its next request.
            try await eventually { fixture.clock.sleepers.isEmpty }
            let requests = fixture.server.requests.count
            fixture.clock.advance(by: .seconds(60))
            #expect(fixture.server.requests.count == requests)

            let next = TestUser("user-2")
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: next,
                apiBaseUrl: try AtomicFixture.baseURL)
            fixture.server.always(AtomicFixture.feed, .failure(.unreachable("offline")))
            let later = fixture.observe()
            try await later.until(1)
            #expect(later.calls[0] == nil)
            #expect(next.tokenRequests >= 1)
            #expect(seen.calls.count == 1)
            await fixture.logout()
        }

        @Test(arguments: [false, true])
        func `calls that are made just before a log-out get an outcome`(
            isOpen: Bool
        )
            async throws
        {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [AtomicFixture.card("a")])
            if isOpen { _ = try await AtomicRuntime.shared.session() }
            let container = AACStreamContainerViewController(
                identifier: "1", configuration: AACConfiguration())
            let (actions, metrics) = (CallRecorder<NSError>(), CallRecorder<AACUserMetrics>())
            let counts = CallRecorder<NSNumber>()
            container.refresh()
            container.updateVariables()
            AACSession.onCardAction(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a")) {
                actions.add($0 as NSError?)
            }
            AACSession.userMetrics { found, _ in metrics.add(found) }
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            // An observation has no outcome; the log-out only ends it.
            AACSession.observeStreamContainer(identifier: "1", configuration: nil) { _ in }
            await fixture.logout()
            try await actions.until(1)
            try await metrics.until(1)
            try await counts.until(1)
            await #expect(throws: SessionError.loggedOut) { _ = try await container.surface() }
        }

        @Test func `an action requested before a log-out is never sent for the next user`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [AtomicFixture.card("a")])
            _ = try await AtomicRuntime.shared.session()
            let actions = CallRecorder<NSError>()
            AACSession.onCardAction(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a")) {
                actions.add($0 as NSError?)
            }
            let left = CallRecorder<NSError>()
            AACSession.logout { left.add($0 as NSError?) }
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: TestUser("user-2"),
                apiBaseUrl: try AtomicFixture.baseURL)
            try await actions.until(1)
            try await left.until(1)
            await fixture.logout()
            let next = "Bearer \(TestToken.unsigned(subject: "user-2", expires: nil))"
            let senders = fixture.server.requests(InlayPath.cardActions).map { $0.headers["Authorization"] }
            #expect(!senders.contains(next))
        }

        @Test func `a log-out before the session is open sends and deletes what an earlier run left`()
            async throws
        {
            let fixture = try AtomicFixture()
            try await load(fixture)
            fixture.server.always(InlayPath.analytics, .failure(.unreachable("offline")))
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            // The app is killed and starts again.
            let killed = try await AtomicRuntime.shared.session()
            killed.work.end()
            await killed.store.close()
            fixture.server.always(InlayPath.analytics, .receipts)
            let stores = { fixture.folder.names.filter { $0.hasPrefix("user-") && $0.hasSuffix(".sqlite") } }
            let (earlier, requests) = (stores(), fixture.server.requests(InlayPath.analytics).count)
            #expect(earlier.count == 1)
            try fixture.login()
            let left = CallRecorder<NSError>()
            // The main queue has no turn in between, so the session is not open yet.
            AACSession.logout { left.add($0 as NSError?) }
            // The next user's data stay.
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: TestUser("user-2"),
                apiBaseUrl: try AtomicFixture.baseURL)
            #expect(try await left.until(1) == [nil])
            #expect(fixture.server.requests(InlayPath.analytics).count > requests)
            try await load(fixture)
            #expect(stores().count == 1 && stores() != earlier)
            await fixture.logout()
            #expect(stores().isEmpty)
        }

        @Test func `log-out ends observers of containers and counts`() async throws {
            let fixture = try AtomicFixture(socket: true)
            try fixture.serve(1, [AtomicFixture.card("a")])
            let seen = fixture.observe()
            let counts = CallRecorder<NSNumber>()
            AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 1) { counts.add($0) }
            try await seen.until(1)
            try await counts.until(1)
            let socket = try await fixture.server.untilSocket()
            await fixture.logout()
            try await socket.untilClosed()
            try fixture.login()
            try fixture.serve(2, [])
            let fresh = fixture.observe()
            try await fresh.until(1)
            #expect(fresh.calls.last??.isEmpty == true)
            #expect(seen.calls.count == 1 && counts.calls.count == 1)
            await fixture.logout()
        }

        @Test func `log-out works without a handler`() async throws {
            let fixture = try AtomicFixture()
            try await load(fixture)
            let events = StreamRecorder(try await AtomicRuntime.shared.session().events.observe())
            AACSession.logout()
            try await events.untilFinished()
            #expect(!fixture.folder.names.contains { $0.hasPrefix("user-") })
        }

        @Test func `after log-out the SDK traps until it is initialised again`() async {
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    AACSession.initialise(withEnvironmentId: "env", apiKey: "key")
                    if let url = URL(string: "https://atomic.test") { AACSession.setApiBaseUrl(url) }
                    AACSession.logout()
                    AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { _ in }
                }
            }
        }

        private func load(_ fixture: AtomicFixture) async throws {
            try fixture.serve(1, [AtomicFixture.card("x")])
            let seen = fixture.observe()
            try await seen.until(1)
            AACSession.stopObservingStreamContainer(token: try #require(seen.token))
        }
    }
}
