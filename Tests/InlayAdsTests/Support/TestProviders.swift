import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// A browser that a test can uninstall or delay.
final class TestBrowser: AdLinkOpener {
    private struct State {
        var isInstalled = true
        var isSlow = false
        var opened: [URL] = []
    }

    private let state = Locked(State())
    private let signal = ConditionSignal()

    var opened: [URL] { state.withLock { $0.opened } }

    func uninstall() { state.withLock { $0.isInstalled = false } }

    /// Delays the result of `open` until `release`.
    func hold() { state.withLock { $0.isSlow = true } }

    func release() {
        state.withLock { $0.isSlow = false }
        signal.changed()
    }

    func untilAsked() async throws { try await signal.until { !self.opened.isEmpty } }

    func open(_ address: URL) async -> Bool {
        let isInstalled = state.withLock { state in
            if state.isInstalled { state.opened.append(address) }
            return state.isInstalled
        }
        signal.changed()
        do {
            try await signal.until("the browser's release") { self.state.withLock { !$0.isSlow } }
        } catch  where !Task.isCancelled {
            Issue.record(error)
        } catch {}
        return isInstalled
    }
}

struct TestAgent: AdUserAgentProvider {
    var text = "UA-1"
    func userAgent() async throws -> String? { text }
}

struct TestConsent: AdConsentSource {
    private let known: AdConsent
    init(_ known: AdConsent) { self.known = known }
    func consent() -> AdConsent { known }
}

/// A provider of the advertising id that a test sets.
struct TestIdentifier: AdIdentifierProvider {
    let answer: @Sendable () async throws -> String?
    init(_ answer: @escaping @Sendable () async throws -> String?) { self.answer = answer }
    func identifier() async throws -> String? { try await answer() }
}

/// A provider of the location that a test sets.
struct TestLocation: AdLocationProvider {
    let answer: @Sendable () async throws -> AdGeo?
    init(_ answer: @escaping @Sendable () async throws -> AdGeo?) { self.answer = answer }
    func location() async throws -> AdGeo? { try await answer() }
}

struct TestFailure: Error {}

/// A reader that returns the video or the failure that a test sets, whatever the VAST.
final class TestVideos: AdVideoReader {
    private let answer = Locked<Result<AdVideo, AdVideoFailure>>(
        .success(
            AdVideo(
                media: AdVideo.Media(address: "https://cdn.test/ferry.mp4", type: "video/mp4"),
                duration: .seconds(20))))

    func set(_ video: AdVideo) { answer.withLock { $0 = .success(video) } }
    func fail(_ failure: AdVideoFailure) { answer.withLock { $0 = .failure(failure) } }

    func video(from markup: String) async throws(AdVideoFailure) -> AdVideo {
        try answer.withLock { $0 }.get()
    }
}
