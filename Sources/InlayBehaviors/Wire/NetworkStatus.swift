/// The status of the network. No request is sent while it is unreachable.
public protocol NetworkStatus: Sendable {
    /// Whether the network can be reached now.
    var isReachable: Bool { get }

    /// Returns another stream of the changes from now on. At each `true`, the waiting events are sent.
    func changes() -> AsyncStream<Bool>
}

/// The status of a network without a monitor: always reachable.
package struct UnmonitoredNetwork: NetworkStatus {
    /// Creates the status.
    public init() {}

    public var isReachable: Bool { true }

    public func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}
