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

        private func fixture(_ answer: @escaping @Sendable (URL) -> AACRequestDisposition) throws -> (
            AtomicFixture, ScriptedRequestDelegate
        ) {
            let requestDelegate = ScriptedRequestDelegate(answer)
            AACSession.setRequestDelegate(requestDelegate)
            let fixture = try AtomicFixture(socket: true)
            try fixture.serve(1, [AtomicFixture.card("a")])
            return (fixture, requestDelegate)
        }

        @Test func `the delegate is called with the URL of each request and each socket before it is sent`()
            async throws
        {
            defer { AACSession.setRequestDelegate(nil) }
            let (fixture, requestDelegate) = try fixture { _ in .allow() }
            try await fixture.observe().until(1)
            try await fixture.server.untilSocket()
            let checked = Set(requestDelegate.checkedURLs.map(\.absoluteString))
            #expect(checked.contains("wss://atomic.test/socket"))
            let sent = fixture.server.requests.map(\.url.absoluteString)
            #expect(!sent.isEmpty && sent.allSatisfy(checked.contains))
            await fixture.logout()
        }

        @Test func `a denied request makes no connection and fails its operation`() async throws {
            defer { AACSession.setRequestDelegate(nil) }
            let (fixture, _) = try fixture { _ in .deny() }
            #expect(await count() == nil)
            #expect(fixture.server.requests.isEmpty)
            // The change applies to the next request; without a delegate all requests are permitted.
            AACSession.setRequestDelegate(nil)
            #expect(await count() == 1)
            await fixture.logout()
        }

        @Test func `a denied socket means polling`() async throws {
            defer { AACSession.setRequestDelegate(nil) }
            let (fixture, _) = try fixture { $0.scheme == "wss" ? .deny() : .allow() }
            try await fixture.observe().until(1)
            try await fixture.clock.untilSleeping(for: .seconds(15))
            #expect(fixture.server.socketRequests.isEmpty)
            await fixture.logout()
        }

        @Test func `pins are passed on with https requests, and deny the socket`() async throws {
            defer { AACSession.setRequestDelegate(nil) }
            let right = AACCertificatePin(sha256Hash: Data(repeating: 7, count: 32).base64EncodedString())
            let (fixture, _) = try fixture { _ in
                .allow(with: [right, AACCertificatePin(sha256Hash: "AAAAAA=")])
            }
            try await fixture.observe().until(1)
            let request = try #require(fixture.server.requests.first)
            #expect(request.pins == [try CertificatePin(sha256: right.sha256Hash)])
            try await fixture.clock.untilSleeping(for: .seconds(15))
            #expect(fixture.server.socketRequests.isEmpty)
            await fixture.logout()
        }

        @Test func `an empty set of pins, and a set of malformed pins only, deny the request`() async throws {
            defer { AACSession.setRequestDelegate(nil) }
            for pins in [[], [AACCertificatePin(sha256Hash: "AAAAAA=")]] as [Set<AACCertificatePin>] {
                let disposition = AACRequestDisposition.allow(with: pins)
                let (fixture, _) = try fixture { _ in disposition }
                #expect(await count() == nil)
                await fixture.logout()
                #expect(fixture.server.requests.isEmpty)
            }
        }

        @Test func `pins on an address that is not https deny the request`() async throws {
            defer { AACSession.setRequestDelegate(nil) }
            let pin = AACCertificatePin(sha256Hash: Data(repeating: 7, count: 32).base64EncodedString())
            let (fixture, _) = try fixture { _ in .allow(with: [pin]) }
            AACSession.login(
                withEnvironmentId: "env", apiKey: "key", sessionDelegate: fixture.user,
                apiBaseUrl: URL(string: "http://atomic.test"))
            #expect(await count() == nil)
            await fixture.logout()
            #expect(fixture.server.requests.isEmpty)
        }
    }
}

/// A request delegate with scripted dispositions that records the URLs it receives, on any thread.
private final class ScriptedRequestDelegate: AACRequestDelegate {
    private let answer: @Sendable (URL) -> AACRequestDisposition
    private let urls = Locked<[URL]>([])

    init(_ answer: @escaping @Sendable (URL) -> AACRequestDisposition) { self.answer = answer }

    var checkedURLs: [URL] { urls.withLock { $0 } }

    func disposition(forAtomicRequest requestUrl: URL) -> AACRequestDisposition {
        urls.withLock { $0.append(requestUrl) }
        return answer(requestUrl)
    }
}
