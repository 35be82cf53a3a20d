import Foundation

/// What happened to a card, as told to a card event delegate.
public enum AACCardEventKind: Int, Sendable {
    case submitted, dismissed, snoozed, votedUseful, votedNotUseful
    case submitFailed, dismissFailed, snoozeFailed
}

/// Something that happened to a card in a container on screen.
public final class AACCardEvent: NSObject, Sendable {
    /// What happened.
    public let kind: AACCardEventKind

    init(_ kind: AACCardEventKind) { self.kind = kind }
}
