/// Whether the network can be reached, so that no request is made that cannot arrive.
public protocol NetworkStatus: Sendable {
    /// Whether a request has a chance now.
    var isReachable: Bool { get }

    /// The changes from now on; every call is a stream of its own. Each `true` sends what waits.
    func changes() -> AsyncStream<Bool>
}

/// The network when nobody watches it: always worth a try.
package struct UnmonitoredNetwork: NetworkStatus {
    /// A network that counts as reachable.
    public init() {}

    public var isReachable: Bool { true }

    public func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

/// The app's monitor says that nothing can be reached; nothing was sent.
package struct NetworkUnreachable: Error, Hashable, Sendable {
    package init() {}
}
