/// Where an ad place is in its life.
public enum AdState: String, CaseIterable, Hashable, Sendable {
    /// Nothing was asked for yet, or it was destroyed.
    case initial
    /// The server was asked.
    case loading
    /// A creative is there and waits to be shown.
    case ready
    /// It was told to show, and nothing of it is on screen yet.
    case showing
    /// It is on screen, or was since; this is the impression.
    case shown
    /// It was shown and is gone. Load again for another.
    case closed
    /// It could not be loaded or shown. Load again for another.
    case failed
    /// It waited too long to be shown. Load again for another.
    case expired

    /// Whether a creative is, or is about to be, in front of the user.
    public var isDisplayed: Bool { self == .showing || self == .shown }
}
