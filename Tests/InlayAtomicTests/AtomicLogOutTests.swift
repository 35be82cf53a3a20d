import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct LogOut {
        @Test func `log-out sends pending analytics before its handler runs, with no error`() async throws {
            let stage = try AtomicStage()
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            #expect(await stage.logout() == nil)
            #expect(try stage.analytics.contains { $0.name == "card-dismissed" })
        }

        @Test
        func `a log-out that cannot reach the platform is a network error with its cause, and still clears`()
            async throws
        {
            let stage = try AtomicStage()
            try await load(stage)
            stage.server.always(InlayPath.analytics, .failure(.unreachable("offline")))
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            let error = try #require(await stage.logout())
            #expect(error.domain == AACSessionLogoutErrorDomain)
            #expect(AACSessionLogoutError.Code(rawValue: error.code) == .networkError)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(!stage.folder.names.contains { $0.hasPrefix("user-") })
        }

        @Test func `analytics that the platform rejects make a data error with its cause`() async throws {
            let stage = try AtomicStage()
            stage.server.always(InlayPath.analytics, .status(500))
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            let error = try #require(await stage.logout())
            #expect(error.domain == AACSessionLogoutErrorDomain)
            #expect(AACSessionLogoutError.Code(rawValue: error.code) == .dataError)
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
        }

        @Test func `nothing of a user is left for the next one: no cards, no token, no requests`()
            async throws
        {
            let stage = try AtomicStage()
            try await load(stage)
            #expect(stage.folder.names.contains { $0.hasPrefix("user-") })
            let seen = stage.observe()
            try await seen.until(1)
            await stage.logout()
            #expect(!stage.folder.names.contains { $0.hasPrefix("user-") })
            let requests = stage.server.requests.count
            stage.clock.advance(by: .seconds(60))
            #expect(stage.server.requests.count == requests)

            let next = TestUser("user-2")
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: next,
                apiBaseUrl: try AtomicStage.baseURL)
            stage.server.always(AtomicStage.feed, .failure(.unreachable("offline")))
            let later = stage.observe()
            try await later.until(1)
            #expect(later.calls[0] == nil)
            #expect(next.asked >= 1)
            #expect(seen.calls.count == 1)
            await stage.logout()
        }

        @Test(arguments: [false, true])
        func `a log-out in the same turn as other calls is an outcome for them and ends nothing else`(
            isOpen: Bool
        )
            async throws
        {
            let stage = try AtomicStage()
            try stage.serve(1, [AtomicStage.card("a")])
            if isOpen { _ = try await AtomicHost.shared.session() }
            let container = AACStreamContainerViewController(
                identifier: "1", configuration: AACConfiguration())
            let (actions, metrics) = (Observation<NSError>(), Observation<AACUserMetrics>())
            let (counts, seen) = (Observation<NSNumber>(), Observation<[AACCardInstance]>())
            container.refresh()
            container.updateVariables()
            AACSession.onCardAction(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a")) {
                actions.add($0 as NSError?)
            }
            AACSession.userMetrics { found, _ in metrics.add(found) }
            AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { counts.add($0) }
            AACSession.observeStreamContainer(identifier: "1", configuration: nil) { seen.add($0) }
            await stage.logout()
            try await actions.until(1)
            try await metrics.until(1)
            try await counts.until(1)
            await #expect(throws: SessionError.loggedOut) { _ = try await container.surface() }
        }

        @Test func `what was asked for before a log-out never happens to the next user`() async throws {
            let stage = try AtomicStage()
            try stage.serve(1, [AtomicStage.card("a")])
            _ = try await AtomicHost.shared.session()
            let actions = Observation<NSError>()
            AACSession.onCardAction(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a")) {
                actions.add($0 as NSError?)
            }
            let left = Observation<NSError>()
            AACSession.logout { left.add($0 as NSError?) }
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: TestUser("user-2"),
                apiBaseUrl: try AtomicStage.baseURL)
            try await actions.until(1)
            try await left.until(1)
            await stage.logout()
            let next = "Bearer \(TestToken.unsigned(subject: "user-2", expires: nil))"
            let senders = stage.server.requests(InlayPath.cardActions).map { $0.headers["Authorization"] }
            #expect(!senders.contains(next))
        }

        @Test func `log-out ends observers of containers and counts`() async throws {
            let stage = try AtomicStage(socket: true)
            try stage.serve(1, [AtomicStage.card("a")])
            let seen = stage.observe()
            let counts = Observation<NSNumber>()
            AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 1) { counts.add($0) }
            try await seen.until(1)
            try await counts.until(1)
            let socket = try await stage.server.untilSocket()
            await stage.logout()
            try await socket.untilClosed()
            try stage.login()
            try stage.serve(2, [])
            let fresh = stage.observe()
            try await fresh.until(1)
            #expect(fresh.calls.last??.isEmpty == true)
            #expect(seen.calls.count == 1 && counts.calls.count == 1)
            await stage.logout()
        }

        @Test func `the handler may be left out`() async throws {
            let stage = try AtomicStage()
            try await load(stage)
            let events = Collected(try await AtomicHost.shared.session().events.observe())
            AACSession.logout()
            try await events.untilFinished()
            #expect(!stage.folder.names.contains { $0.hasPrefix("user-") })
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

        private func load(_ stage: AtomicStage) async throws {
            try stage.serve(1, [AtomicStage.card("x")])
            let seen = stage.observe()
            try await seen.until(1)
            AACSession.stopObservingStreamContainer(token: try #require(seen.token))
        }
    }
}
