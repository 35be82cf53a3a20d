@_spi(Inlay) package import InlayWire

/// The outcome of an item.
package enum OutboxOutcome: Hashable, Sendable {
    /// The item took effect on the server.
    case accepted(id: String)
    /// The server refused the item for good.
    case refused(id: String, Problem)
    /// The item was given up before it could be sent.
    case dropped(id: String, DropReason)

    package var id: String {
        switch self {
        case .accepted(let id), .refused(let id, _), .dropped(let id, _): id
        }
    }
}

/// The reason why an item was given up without a reply of the server.
package enum DropReason: String, Hashable, Sendable {
    /// The item exceeded the maximum age of its lane.
    case age
    /// The lane was full, and the item was the oldest.
    case size
    /// The store's file was damaged, moved, deleted or replaced while it was in use.
    case store
}

/// The outcome of a flush.
package enum OutboxFlush: Sendable {
    /// The lane was empty at the last check.
    case done
    /// Sending failed; the items stay and are tried again.
    case stopped(any Error)
}
