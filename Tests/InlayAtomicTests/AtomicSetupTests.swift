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
            let stage = try AtomicStage(login: false)
            AACSession.initialise(withEnvironmentId: "my-environment", apiKey: "my-key")
            AACSession.setSessionDelegate(stage.user)
            AACSession.setApiBaseUrl(try AtomicStage.baseURL)
            let request = try await firstRequest(stage)
            #expect(request.url.host == "atomic.test")
            #expect(request.headers[InlayHeader.environment] == "my-environment")
            #expect(request.headers[InlayHeader.apiKey] == "my-key")
            let token = TestToken.unsigned(subject: "user-1", expires: nil)
            #expect(request.headers["Authorization"] == "Bearer \(token)")
        }

        @Test func `login is the same as the three calls in sequence`() async throws {
            let stage = try AtomicStage()
            let request = try await firstRequest(stage)
            #expect(request.url.host == "atomic.test")
            #expect(request.headers[InlayHeader.environment] == "env")
            #expect(request.headers[InlayHeader.apiKey] == "key")
            #expect(stage.user.asked == 1)
        }

        @Test func `the base URL can come from the app's property list`() async throws {
            let stage = try AtomicStage(login: false)
            var runtime = AtomicHost.Runtime()
            (runtime.transport, runtime.clock, runtime.folder) = (stage.server, stage.clock, stage.folder.url)
            runtime.infoBaseURL = { "https://plist.test" }
            AtomicHost.shared.use(runtime)
            AACSession.forgetBaseURL()
            AACSession.initialise(withEnvironmentId: "env", apiKey: "key")
            AACSession.setSessionDelegate(stage.user)
            #expect(try await firstRequest(stage).url.host == "plist.test")
        }

        @Test func `using the SDK before it was initialised traps and says what to do`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await MainActor.run {
                    AACSession.requestCardCountForStreamContainer(withIdentifier: "1") { _ in }
                }
            }
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("Call initialise or login first"))
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
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("AACRequestBaseURL"))
        }

        @Test func `the session delegate is asked once for a token that lasts, and is kept alive`()
            async throws
        {
            weak var kept: TestUser?
            let stage = try AtomicStage(login: false)
            do {
                let user = TestUser("kept")
                kept = user
                AACSession.login(
                    withEnvironmentId: "env", apiKey: "key", sessionDelegate: user,
                    apiBaseUrl: try AtomicStage.baseURL)
            }
            try stage.serve(1, [])
            _ = try await count(of: stage)
            _ = try await count(of: stage)
            #expect(kept?.asked == 1)
            #expect(kept?.expiryReads == 1)
            #expect(kept?.retryReads == 1)
            #expect(stage.user.asked == 0)
        }

        @Test func `a nil token fails what waits for it, and nothing is sent`() async throws {
            let user = TestUser()
            user.hasToken = false
            let stage = try AtomicStage(user: user)
            #expect(try await count(of: stage) == nil)
            #expect(stage.server.requests.isEmpty)
        }

        @Test func `a token is old when less than the expiry interval is left, and is reused otherwise`()
            async throws
        {
            for (left, asks) in [(59, 2), (61, 1)] {
                let user = TestUser()
                user.lifetime = .seconds(left)
                let stage = try AtomicStage(login: false, user: user)
                stage.server.always(InlayPath.cardCounts, try .json(CardCounts(containers: [:])))
                try stage.login()
                try stage.serve(1, [])
                // The start of the session stores its own event, which waits for the same first token.
                _ = try await count(of: stage)
                let before = user.asked
                _ = try await count(of: stage)
                #expect(user.asked - before == (asks == 2 ? 1 : 0), "\(left) seconds left")
                await stage.logout()
            }
        }

        @Test
        func `a negative interval counts as none, and a failed delegate is left alone as long as it says`()
            async throws
        {
            let user = TestUser()
            (user.expiry, user.retry, user.hasToken) = (-1, 10, false)
            let stage = try AtomicStage(user: user)
            _ = try await count(of: stage)
            let asked = user.asked
            _ = try await count(of: stage)
            #expect(user.asked == asked)
            stage.clock.advance(by: .seconds(10))
            _ = try await count(of: stage)
            #expect(user.asked > asked)
            #expect(user.retryReads == 1 && user.expiryReads == 1)
        }

        @Test func `the socket is tried first, and http means no socket at all`() async throws {
            #expect(AACApiProtocol.allCases == [.webSockets, .http])
            let stage = try AtomicStage(socket: true)
            try stage.serve(1, [])
            let seen = stage.observe()
            let socket = try await stage.server.untilSocket()
            try await seen.until(1)
            AACSession.setApiProtocol(.http)
            try await socket.untilClosed()
            try await stage.clock.untilSleeping(for: .seconds(15))
            AACSession.setApiProtocol(.webSockets)
            try await stage.server.untilSocket(2)
            await stage.logout()
        }

        /// The folder that the processes which a test process starts have in common.
        nonisolated static func folder(of process: pid_t) -> URL {
            FileManager.default.temporaryDirectory.appendingPathComponent("inlay-restart-\(process)")
        }

        static func pollOverHTTP() async throws {
            let stage = try AtomicStage(socket: true, place: folder(of: getppid()))
            try stage.serve(1, [])
            AACSession.setApiProtocol(.http)
            let seen = stage.observe()
            try await seen.until(1)
            try await stage.clock.untilSleeping(for: .seconds(15))
            #expect(stage.server.socketRequests.isEmpty)
        }

        static func listenAfterRestart() async throws {
            let stage = try AtomicStage(socket: true, place: folder(of: getppid()))
            try stage.serve(1, [])
            let seen = stage.observe()
            try await stage.server.untilSocket()
            try await seen.until(1)
        }

        @Test func `HTTP lasts until the app restarts, which begins with the socket again`() async throws {
            let folder = Self.folder(of: getpid())
            defer { try? FileManager.default.removeItem(at: folder) }
            await #expect(processExitsWith: .success) { try await AtomicTests.Setup.pollOverHTTP() }
            #expect(FileManager.default.fileExists(atPath: folder.path))
            await #expect(processExitsWith: .success) { try await AtomicTests.Setup.listenAfterRestart() }
        }

        @Test func `a refused socket means cards by polling`() async throws {
            let stage = try AtomicStage()
            try stage.serve(1, [])
            let seen = stage.observe()
            try await seen.until(1)
            try await stage.clock.untilSleeping(for: .seconds(15))
            try stage.serve(2, [AtomicStage.card("a")])
            stage.clock.advance(by: .seconds(15))
            try await seen.until(2)
            #expect(seen.calls.last??.map(\.detail.cardId) == ["a"])
            await stage.logout()
        }

        @Test func `the app's version is in analytics, cut to 128 characters, and unknown until it is set`()
            async throws
        {
            let stage = try AtomicStage()
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "a"))
            AACSession.setClientAppVersion(String(repeating: "v", count: 200))
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "b"))
            AACSession.setClientAppVersion("Version 14.2 (14C18)")
            _ = await stage.run(AACSessionCardAction(dismissActionWithContainerId: "1", cardId: "c"))
            await stage.logout()
            let versions = try stage.analytics.filter { $0.name == "card-dismissed" }.map(\.clientVersion)
            #expect(versions == ["unknown", String(repeating: "v", count: 128), "Version 14.2 (14C18)"])
            AACSession.setClientAppVersion("unknown")
        }

        private func firstRequest(_ stage: AtomicStage) async throws -> TransportRequest {
            try stage.serve(1, [])
            _ = try await count(of: stage)
            return try #require(stage.server.requests(AtomicStage.feed).first)
        }

        private func count(of stage: AtomicStage) async throws -> Int? {
            await withCheckedContinuation { done in
                AACSession.requestCardCountForStreamContainer(withIdentifier: "1") {
                    done.resume(returning: $0?.intValue)
                }
            }
        }
    }
}
