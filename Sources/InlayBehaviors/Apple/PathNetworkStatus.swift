#if canImport(Network)
    import Dispatch
    import InlayCore
    import Network

    /// The system's word on the network.
    public final class PathNetworkStatus: NetworkStatus, @unchecked Sendable {
        // `@unchecked`: the monitor is only started and cancelled, the rest is behind the lock.
        private struct State {
            var isReachable = true
            var observers: [Int: AsyncStream<Bool>.Continuation] = [:]
            var nextID = 0
        }

        private let monitor = NWPathMonitor()
        private let state = Locked(State())

        /// Starts to watch.
        public init() {
            monitor.pathUpdateHandler = { [weak self] path in self?.turned(path.status == .satisfied) }
            monitor.start(queue: DispatchQueue(label: "inlay.network"))
        }

        deinit {
            monitor.cancel()
            state.withLock { $0.observers }.values.forEach { $0.finish() }
        }

        public var isReachable: Bool { state.withLock { $0.isReachable } }

        public func changes() -> AsyncStream<Bool> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Bool.self, bufferingPolicy: .bufferingNewest(8))
            let id = state.withLock { state in
                state.nextID += 1
                state.observers[state.nextID] = continuation
                return state.nextID
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
            }
            return stream
        }

        private func turned(_ isReachable: Bool) {
            let observers = state.withLock { state -> [AsyncStream<Bool>.Continuation] in
                guard state.isReachable != isReachable else { return [] }
                state.isReachable = isReachable
                return Array(state.observers.values)
            }
            observers.forEach { $0.yield(isReachable) }
        }
    }
#endif
