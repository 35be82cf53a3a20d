@_spi(Inlay) import InlayWire

/// An input of an ad placement's state machine. An input from a load carries its number, so that a late one about an
/// earlier load changes nothing.
enum AdInput: Hashable, Sendable {
    /// The app asks for an ad.
    case load
    /// The answer to a load can be shown.
    case filled(Int, AdResponseTerms)
    /// A load brought nothing.
    case unfilled(Int, AdError)
    /// The app wants it on screen.
    case show
    /// The first of it is on screen.
    case rendered(Int)
    /// It cannot be drawn, or broke.
    case broke(Int, AdError)
    /// Enough of it was in sight for long enough.
    case viewable(Int)
    /// Nothing of it was drawn in time.
    case undrawn(Int)
    /// The user followed a link.
    case clicked(Int)
    /// Something happened in the video.
    case played(Int, AdEventName)
    /// The time is over in which it may not be closed.
    case unlocked(Int)
    /// The user wants it closed.
    case close(Int)
    /// The app takes it away.
    case dismiss
    /// It waited too long.
    case expired(Int)
    /// A banner's turn is over.
    case refresh(Int)
    /// The app gives up whatever is there.
    case destroy
}
