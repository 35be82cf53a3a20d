package import InlayBehaviors

#if canImport(Network)
    import Foundation
    import Network
#endif

/// The network as the system sees it.
package enum EngageNetwork {
    /// The system's monitor; where there is none, a try is always worth it.
    package static var system: any NetworkStatus {
        #if canImport(Network)
            MonitoredNetwork.shared
        #else
            UnwatchedNetwork()
        #endif
    }
}

#if canImport(Network)
    /// Watches the system's paths for the life of the process.
    private final class MonitoredNetwork: NetworkStatus {
        static let shared = MonitoredNetwork()
        private let monitor = NWPathMonitor()

        init() { monitor.start(queue: DispatchQueue(label: "inlay.network")) }

        var isReachable: Bool { monitor.currentPath.status != .unsatisfied }

        func changes() -> AsyncStream<Bool> {
            let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
            // One monitor has one handler, so every stream has a monitor of its own.
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { continuation.yield($0.status != .unsatisfied) }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "inlay.network.changes"))
            return stream
        }
    }
#endif
