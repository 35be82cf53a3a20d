@_spi(Inlay) package import InlayWire

/// The outcome of an item.
package enum OutboxOutcome: Hashable, Sendable {
    /// It took effect on the server.
    case accepted(id: String)
    /// The server refused it for good.
    case refused(id: String, Problem)
    /// It was given up before it could be sent.
    case dropped(id: String, DropReason)

    package var id: String {
        switch self {
        case .accepted(let id), .refused(let id, _), .dropped(let id, _): id
        }
    }
}

/// The reason why an item was given up without the server's word.
package enum DropReason: String, Hashable, Sendable {
    /// It was older than its lane keeps items.
    case age
    /// The lane was full, and it was the oldest.
    case size
    /// The store's file was damaged, moved, deleted or replaced while it was in use.
    case store
}

/// The outcome of a flush.
package enum OutboxFlush: Sendable {
    /// Nothing is left in the lane, or was not when it was looked at last.
    case done
    /// Sending failed; the items stay and are tried again.
    case stopped(any Error)
}
