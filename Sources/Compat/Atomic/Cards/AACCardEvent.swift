public import Foundation

/// The kind of a card event, for a card event delegate.
public enum AACCardEventKind: Int, Sendable {
    case submitted, dismissed, snoozed, votedUseful, votedNotUseful
    case submitFailed, dismissFailed, snoozeFailed
}

/// The result of a user's action on a card in a container on screen.
public final class AACCardEvent: NSObject, Sendable {
    /// The kind of event.
    public let kind: AACCardEventKind

    init(_ kind: AACCardEventKind) { self.kind = kind }
}
