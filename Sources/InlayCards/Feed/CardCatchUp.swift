import InlayCore
@_spi(Inlay) import InlayWire

/// A fetch of the version that the socket announced, with as many requests as necessary.
///
/// While the socket is live there are no polls. Without these retries, a change whose request failed or returned an
/// older feed would be missed until the next notice.
struct CardCatchUp: Sendable {
    let engine: CardEngine
    let container: String
    var retry = RetryRule(first: .seconds(1), maximum: .seconds(60))
    var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Requests the feed. When the version is still missing then, returns a task that retries.
    ///
    /// The task ends with the version, with an error that a retry cannot resolve, or when it is cancelled.
    func refresh(atLeast version: Int64?) async -> Task<Void, Never>? {
        guard await isMissing(version) else { return nil }
        return engine.session.work.start {
            var failures = 0
            repeat {
                failures += 1
                let wait = retry.delay(failures: failures, random: random())
                guard (try? await engine.session.clock.sleep(for: wait)) != nil else { return }
            } while await isMissing(version)
        }
    }

    /// Requests the feed once. Returns whether the version is missing and a retry may bring it.
    private func isMissing(_ version: Int64?) async -> Bool {
        switch await engine.refresher.refresh(container) {
        case .failure(let error): return error.mayPass
        case .success:
            guard let version else { return false }
            return await engine.feeds.version(container) ?? .min < version
        }
    }
}

extension CardConnectionError {
    /// Whether the same request may succeed later without a change of the app.
    fileprivate var mayPass: Bool {
        switch self {
        case .network, .noToken, .unreadable, .storage: true
        case .refused(let problem): problem.status >= 500 || [408, 429].contains(problem.status)
        case .loggedOut: false
        }
    }
}
