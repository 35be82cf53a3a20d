#if canImport(Network)
    public import Dispatch
    public import InlayCore
    public import Network

    /// The system's word on the network.
    public final class PathNetworkStatus: NetworkStatus, @unchecked Sendable {
        // `@unchecked`: the monitor is only started and cancelled, the rest is behind locks.
        private let monitor = NWPathMonitor()
        private let reachable = Locked(true)
        private let observers = Observers<Bool>(.bufferingNewest(8))

        /// Starts to watch.
        public init() {
            monitor.pathUpdateHandler = { [weak self] path in self?.update(path.status == .satisfied) }
            monitor.start(queue: DispatchQueue(label: "inlay.network"))
        }

        deinit { monitor.cancel() }

        public var isReachable: Bool { reachable.withLock { $0 } }

        public func changes() -> AsyncStream<Bool> { observers.stream() }

        private func update(_ isReachable: Bool) {
            let hasChanged = reachable.withLock { reachable in
                defer { reachable = isReachable }
                return reachable != isReachable
            }
            if hasChanged { observers.yield(isReachable) }
        }
    }
#endif
