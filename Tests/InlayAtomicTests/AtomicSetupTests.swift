import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Setup {
        @Test func `base URL, environment and key are in the requests, and they go to that host`()
            async throws
        {
            let fixture = try AtomicFixture(login: false)
            AACSession.initialise(withEnvironmentId: "my-environment", apiKey: "my-key")
            AACSession.setSessionDelegate(fixture.user)
            AACSession.setApiBaseUrl(try AtomicFixture.baseURL)
            let request = try await firstRequest(fixture)
            #expect(request.url.host == "atomic.test")
            #expect(request.headers[InlayHeader.environment] == "my-environment")
            #expect(request.headers[InlayHeader.apiKey] == "my-key")
            let token = TestToken.unsigned(subject: "user-1", expires: nil)
            #expect(request.headers["Authorization"] == "Bearer \(token)")
        }

        @Test func `login is the same as the three calls in sequence`() async throws {
            let fixture = try AtomicFixture()
            let request = try await firstRequest(fixture)
            #expect(request.url.host == "atomic.test")
            #expect(request.headers[InlayHeader.environment] == "env")
            #expect(request.headers[InlayHeader.apiKey] == "key")
            #expect(fixture.user.tokenRequests == 1)
        }

        @Test func `the base URL can come from the app's property list`() async throws {
            let fixture = try AtomicFixture(login: false)
            var services = AtomicRuntime.Services()
            (services.transport, services.clock, services.folder) = (
                fixture.server, fixture.clock, fixture.folder.url
            )
            services.infoBaseURL = { "https://plist.test" }
            AtomicRuntime.shared.use(services)
            AACSession.forgetBaseURL()
            AACSession.initialise(withEnvironmentId: "env", apiKey: "key")
            AACSession.setSessionDelegate(fixture.user)
            #expect(try await firstRequest(fixture).url.host == "plist.test")
        }

        @Test func `using the SDK before it was initialised traps and says what to do`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { _ in }
                }
            }
            let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(errorOutput.contains("Call initialise or login first"))
        }

        @Test func `every entry point that needs a session traps without one`() async {
            await #expect(processExitsWith: .failure) {
                AACSession.observeStreamContainer(identifier: "1", configuration: nil) { _ in }
            }
            await #expect(processExitsWith: .failure) {
                AACSession.observeCardCountForStreamContainer(withIdentifier: "1", interval: 15) { _ in }
            }
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    AACSession.onCardAction(
                        AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a")
                    ) { _ in }
                }
            }
            await #expect(processExitsWith: .failure) {
                await MainActor.run { AACSession.userMetrics { _, _ in } }
            }
            await #expect(processExitsWith: .failure) { await MainActor.run { AACSession.logout() } }
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    AACStreamContainerViewController(identifier: "1", configuration: AACConfiguration())
                        .refresh()
                }
            }
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    AACStreamContainerViewController(identifier: "1", configuration: AACConfiguration())
                        .updateVariables()
                }
            }
        }

        @Test func `without any base URL using the SDK traps instead of calling some default host`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    AACSession.initialise(withEnvironmentId: "env", apiKey: "key")
                    AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { _ in }
                }
            }
            let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(errorOutput.contains("AACRequestBaseURL"))
        }

        @Test func `a token that lasts is requested once, and the session delegate is retained`()
            async throws
        {
            weak var kept: TestUser?
            let fixture = try AtomicFixture(login: false)
            do {
                let user = TestUser("kept")
                kept = user
                AACSession.login(
                    withEnvironmentId: "env", apiKey: "key", sessionDelegate: user,
                    apiBaseUrl: try AtomicFixture.baseURL)
            }
            try fixture.serve(1, [])
            _ = try await count(of: fixture)
            _ = try await count(of: fixture)
            #expect(kept?.tokenRequests == 1)
            #expect(kept?.expiryReads == 1)
            #expect(kept?.retryReads == 1)
            #expect(fixture.user.tokenRequests == 0)
        }

        @Test func `a nil token fails the calls that wait for it, and nothing is sent`() async throws {
            let user = TestUser()
            user.hasToken = false
            let fixture = try AtomicFixture(user: user)
            #expect(try await count(of: fixture) == nil)
            #expect(fixture.server.requests.isEmpty)
        }

        @Test func `a token is old when less than the expiry interval is left, and is reused otherwise`()
            async throws
        {
            for (left, asks) in [(59, 2), (61, 1)] {
                let user = TestUser()
                user.lifetime = .seconds(left)
                let fixture = try AtomicFixture(login: false, user: user)
                fixture.server.always(InlayPath.cardCounts, try .json(CardCounts(containers: [:])))
                try fixture.login()
                try fixture.serve(1, [])
                // The start of the session stores its own event, which waits for the same first token.
                _ = try await count(of: fixture)
                let before = user.tokenRequests
                _ = try await count(of: fixture)
                #expect(user.tokenRequests - before == (asks == 2 ? 1 : 0), "\(left) seconds left")
                await fixture.logout()
            }
        }

        @Test
        func `a negative interval becomes zero, and after a nil token the retry interval is kept`()
            async throws
        {
            let user = TestUser()
            (user.expiry, user.retry, user.hasToken) = (-1, 10, false)
            let fixture = try AtomicFixture(user: user)
            _ = try await count(of: fixture)
            let before = user.tokenRequests
            _ = try await count(of: fixture)
            #expect(user.tokenRequests == before)
            fixture.clock.advance(by: .seconds(10))
            _ = try await count(of: fixture)
            #expect(user.tokenRequests > before)
            #expect(user.retryReads == 1 && user.expiryReads == 1)
        }

        @Test func `the socket is tried first, and http means no socket at all`() async throws {
            #expect(AACApiProtocol.allCases == [.webSockets, .http])
            let fixture = try AtomicFixture(socket: true)
            defer { AACSession.setApiProtocol(.webSockets) }
            try fixture.serve(1, [])
            let seen = fixture.observe()
            let socket = try await fixture.server.untilSocket()
            try await seen.until(1)
            AACSession.setApiProtocol(.http)
            try await socket.untilClosed()
            try await fixture.clock.untilSleeping(for: .seconds(15))
            AACSession.setApiProtocol(.webSockets)
            try await fixture.server.untilSocket(2)
            await fixture.logout()
        }

        /// The folder that all child processes of one test process share.
        nonisolated static func folder(of process: pid_t) -> URL {
            FileManager.default.temporaryDirectory.appendingPathComponent("inlay-restart-\(process)")
        }

        static func pollOverHTTP() async throws {
            let fixture = try AtomicFixture(socket: true, lastingFolder: folder(of: getppid()))
            try fixture.serve(1, [])
            AACSession.setApiProtocol(.http)
            let seen = fixture.observe()
            try await seen.until(1)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            #expect(fixture.server.socketRequests.isEmpty)
        }

        static func listenAfterRestart() async throws {
            let fixture = try AtomicFixture(socket: true, lastingFolder: folder(of: getppid()))
            try fixture.serve(1, [])
            let seen = fixture.observe()
            try await fixture.server.untilSocket()
            try await seen.until(1)
        }

        @Test func `the HTTP setting lasts until the app restarts, then the socket is used again`()
            async throws
        {
            let folder = Self.folder(of: getpid())
            defer { try? FileManager.default.removeItem(at: folder) }
            await #expect(processExitsWith: .success) { try await AtomicTests.Setup.pollOverHTTP() }
            #expect(FileManager.default.fileExists(atPath: folder.path))
            await #expect(processExitsWith: .success) { try await AtomicTests.Setup.listenAfterRestart() }
        }

        @Test func `after a refused socket the cards are polled`() async throws {
            let fixture = try AtomicFixture()
            try fixture.serve(1, [])
            let seen = fixture.observe()
            try await seen.until(1)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            try fixture.serve(2, [AtomicFixture.card("a")])
            fixture.clock.advance(by: .seconds(15))
            try await seen.until(2)
            #expect(seen.calls.last??.map(\.detail.cardId) == ["a"])
            await fixture.logout()
        }

        @Test func `the app's version is in analytics, cut to 128 characters, and unknown until it is set`()
            async throws
        {
            let fixture = try AtomicFixture()
            defer { AACSession.setClientAppVersion("unknown") }
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            AACSession.setClientAppVersion(String(repeating: "v", count: 200))
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "b"))
            AACSession.setClientAppVersion("Version 14.2 (14C18)")
            _ = await fixture.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "c"))
            await fixture.logout()
            let versions = try fixture.analytics.filter { $0.name == "card-dismissed" }.map(\.clientVersion)
            #expect(versions == ["unknown", String(repeating: "v", count: 128), "Version 14.2 (14C18)"])
        }

        private func firstRequest(_ fixture: AtomicFixture) async throws -> TransportRequest {
            try fixture.serve(1, [])
            _ = try await count(of: fixture)
            return try #require(fixture.server.requests(AtomicFixture.feed).first)
        }

        private func count(of fixture: AtomicFixture) async throws -> Int? {
            await withCheckedContinuation { done in
                AACSession.requestCardCountForStreamContainer(withIdentifier: "1") {
                    done.resume(returning: $0?.intValue)
                }
            }
        }
    }
}
