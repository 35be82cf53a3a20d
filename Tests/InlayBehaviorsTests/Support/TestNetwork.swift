@_spi(Inlay) import InlayCore

@testable import InlayBehaviors

/// A network monitor whose state is set by a test.
final class TestNetwork: NetworkStatus {
    private let reachable: Locked<Bool>
    private let observers = Locked<[AsyncStream<Bool>.Continuation]>([])

    init(reachable: Bool) { self.reachable = Locked(reachable) }

    var isReachable: Bool { reachable.withLock { $0 } }

    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        observers.withLock { $0.append(continuation) }
        return stream
    }

    func setReachable(_ isReachable: Bool) {
        reachable.withLock { $0 = isReachable }
        observers.withLock { $0 }.forEach { $0.yield(isReachable) }
    }
}
