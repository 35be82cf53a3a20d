import InlayCore
@_spi(Inlay) import InlayWire

/// Fetches the version that the socket announced, with as many requests as that takes.
///
/// There are no polls beside a live socket. A change whose request was cut off, or was answered with an older
/// feed, would be missed until the next notice without this.
struct CardCatchUp: Sendable {
    let engine: CardEngine
    let container: String
    var retry = RetryRule(first: .seconds(1), maximum: .seconds(60))
    var random: @Sendable () -> Double = { .random(in: 0..<1) }

    /// Asks now; where that does not bring the version, the answer is a task that goes on asking.
    ///
    /// The task ends when the version is here, when asking again is no use, or when it is cancelled.
    func pull(atLeast version: Int64?) async -> Task<Void, Never>? {
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

    /// Asks once; whether it is worth asking again.
    private func isMissing(_ version: Int64?) async -> Bool {
        switch await engine.puller.refresh(container) {
        case .failure(let error): return error.mayPass
        case .success:
            guard let version else { return false }
            return await engine.feeds.version(container) ?? .min < version
        }
    }
}

extension CardConnectionError {
    /// Whether the same request may succeed later, without anybody repairing it.
    fileprivate var mayPass: Bool {
        switch self {
        case .network, .noToken, .unreadable, .storage: true
        case .refused(let problem): problem.status >= 500 || [408, 429].contains(problem.status)
        case .loggedOut: false
        }
    }
}
