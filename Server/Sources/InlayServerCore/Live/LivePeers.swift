@_spi(Inlay) import InlayWire

/// The other nodes, as their messages show them.
///
/// A node tells the others every few seconds that it is there, and when it leaves. One that falls silent may have
/// ended between a commit and its message; one that lost a message says so in its next.
struct LivePeers: Sendable {
    /// Between two messages that only say that a node is there.
    static let interval = Duration.seconds(5)
    /// A node that was silent for this long has ended without a word.
    static let patience = Duration.seconds(15)

    private var heardAt: [String: Timestamp] = [:]

    /// Notes a message; whether this node's sockets may have missed something.
    mutating func heard(_ envelope: LiveEnvelope, at moment: Timestamp) -> Bool {
        heardAt[envelope.node] = envelope.isLeaving == true ? nil : moment
        return envelope.hasLost == true
    }

    /// Forgets the nodes that have fallen silent; whether there were any.
    mutating func forgetSilent(at moment: Timestamp) -> Bool {
        let count = heardAt.count
        heardAt = heardAt.filter { moment - $0.value <= Self.patience }
        return heardAt.count < count
    }
}
