import InlayCore
import InlayWire

extension Cards {
    /// Tells that a card was on screen: it counts as seen from now on.
    ///
    /// Whoever draws cards without `CardListSurface` calls this once per card, view and appearance, when
    /// half of the card, or of the view where the card is higher, was visible for one second.
    public func displayed(_ cardID: String, in containerID: String) async {
        if await engine.board.see(cardID) {
            do {
                try await engine.store.markSeen(cardID)
            } catch {
                // The count is right until the app ends, and again when the server has the event.
                engine.session.log.operation("cards: \(cardID) could not be kept as seen: \(error)")
            }
        }
        await engine.analytics.record(
            SessionEvent(
                .cardDisplayed, time: engine.session.serverClock.now(), containerID: containerID,
                cardID: cardID))
    }
}
