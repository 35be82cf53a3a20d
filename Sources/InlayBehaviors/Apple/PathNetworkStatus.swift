#if canImport(Network)
    public import Dispatch
    public import InlayCore
    public import Network

    /// The status of the network by the system's path monitor. It is reachable until the monitor's first update.
    public final class PathNetworkStatus: NetworkStatus, @unchecked Sendable {
        // `@unchecked`: the monitor is only started and cancelled; locks guard the other properties.
        private let monitor = NWPathMonitor()
        private let reachable = Locked(true)
        private let observers = Observers<Bool>(.bufferingNewest(8))

        /// Creates a status and starts the monitor.
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
