import Foundation
import InlayAtomic
import InlayCore
import InlayTesting
import InlayWire
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
