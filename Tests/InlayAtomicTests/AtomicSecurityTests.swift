import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

extension AtomicTests {
    @MainActor @Suite struct Security {
        private func count() async -> Int? {
            await withCheckedContinuation { done in
                AACSession.requestCardCountForStreamContainer(withIdentifier: "1") {
                    done.resume(returning: $0?.intValue)
                }
            }
        }

        private func stage(_ answer: @escaping @Sendable (URL) -> AACRequestDisposition) throws -> (
            AtomicStage, Gatekeeper
        ) {
            let keeper = Gatekeeper(answer)
            AACSession.setRequestDelegate(keeper)
            let stage = try AtomicStage(socket: true)
            try stage.serve(1, [AtomicStage.card("a")])
            return (stage, keeper)
        }

        @Test func `the delegate is asked before each request and each socket, with its address`()
            async throws
        {
            let (stage, keeper) = try stage { _ in .allow() }
            try await stage.observe().until(1)
            try await stage.server.untilSocket()
            let asked = Set(keeper.asked.map(\.absoluteString))
            #expect(asked.contains("wss://atomic.test/socket"))
            let sent = stage.server.requests.map(\.url.absoluteString)
            #expect(!sent.isEmpty && sent.allSatisfy(asked.contains))
            await stage.logout()
            AACSession.setRequestDelegate(nil)
        }

        @Test func `a denied request makes no connection and fails its operation`() async throws {
            let (stage, _) = try stage { _ in .deny() }
            #expect(await count() == nil)
            #expect(stage.server.requests.isEmpty)
            // From the next request on, another answer counts; without a delegate all are permitted.
            AACSession.setRequestDelegate(nil)
            #expect(await count() == 1)
            await stage.logout()
        }

        @Test func `a denied socket means polling`() async throws {
            let (stage, _) = try stage { $0.scheme == "wss" ? .deny() : .allow() }
            try await stage.observe().until(1)
            try await stage.clock.untilSleeping(for: .seconds(15))
            #expect(stage.server.socketRequests.isEmpty)
            await stage.logout()
            AACSession.setRequestDelegate(nil)
        }

        @Test func `pins travel with https requests, and deny the socket`() async throws {
            let right = AACCertificatePin(sha256Hash: Data(repeating: 7, count: 32).base64EncodedString())
            let (stage, _) = try stage { _ in .allow(with: [right, AACCertificatePin(sha256Hash: "AAAAAA=")])
            }
            try await stage.observe().until(1)
            let request = try #require(stage.server.requests.first)
            #expect(request.pins == [try CertificatePin(sha256: right.sha256Hash)])
            try await stage.clock.untilSleeping(for: .seconds(15))
            #expect(stage.server.socketRequests.isEmpty)
            await stage.logout()
            AACSession.setRequestDelegate(nil)
        }

        @Test func `an empty set of pins, and one of none but malformed pins, deny the request`() async throws
        {
            for pins in [[], [AACCertificatePin(sha256Hash: "AAAAAA=")]] as [Set<AACCertificatePin>] {
                let disposition = AACRequestDisposition.allow(with: pins)
                let (stage, _) = try stage { _ in disposition }
                #expect(await count() == nil)
                await stage.logout()
                #expect(stage.server.requests.isEmpty)
            }
            AACSession.setRequestDelegate(nil)
        }

        @Test func `pins on an address that is not https deny the request`() async throws {
            let pin = AACCertificatePin(sha256Hash: Data(repeating: 7, count: 32).base64EncodedString())
            let (stage, _) = try stage { _ in .allow(with: [pin]) }
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: stage.user,
                apiBaseUrl: URL(string: "http://atomic.test"))
            #expect(await count() == nil)
            await stage.logout()
            #expect(stage.server.requests.isEmpty)
            AACSession.setRequestDelegate(nil)
        }
    }
}

/// Answers as told and notes what it was asked; on any thread.
private final class Gatekeeper: AACRequestDelegate {
    private let answer: @Sendable (URL) -> AACRequestDisposition
    private let urls = Locked<[URL]>([])

    init(_ answer: @escaping @Sendable (URL) -> AACRequestDisposition) { self.answer = answer }

    var asked: [URL] { urls.withLock { $0 } }

    func disposition(forAtomicRequest requestUrl: URL) -> AACRequestDisposition {
        urls.withLock { $0.append(requestUrl) }
        return answer(requestUrl)
    }
}
