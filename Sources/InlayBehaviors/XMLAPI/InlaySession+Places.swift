import InlayCore

extension InlaySession {
    /// Writes every place that is news to the contact, as long as the session lasts; does nothing without
    /// a source of places and a configured list. Call it once.
    public func reportLastKnownPlaces() {
        let (behaviors, xmlapi) = (behaviors, xmlapi)
        guard let location = behaviors.engine.location, xmlapi.hasList else { return }
        let updates = behaviors.locationUpdates()
        let clock = serverClock
        // Ends with the updates, at log-out.
        work.start {
            for await fix in updates {
                guard let address = await location.place(at: fix.coordinates)?.address,
                    let request = XMLAPIRequest.updateLastKnownPlace(
                        address, at: clock.now(), of: behaviors.identity, settings: behaviors.settings)
                else { continue }
                // What cannot be stored now is old news by the next place.
                _ = try? await xmlapi.post(request)
            }
        }
    }
}
