extension Behaviors {
    /// Registers the app's handler for a name that the deep-link configuration uses.
    ///
    /// The SDK itself handles `postSilverpop`, which records the link in an event, unless the app registers a handler.
    public func registerLinkHandler(_ name: String, _ handler: @escaping DeepLinkHandler) {
        engine.links.register(name, handler)
    }

    /// Runs the handlers of the link's route. The campaign in the link begins even when no route matches or there is
    /// no configuration.
    ///
    /// - Throws: `DeepLinkError` for an invalid link, a missing route or a failed handler; `BehaviorError` when the
    ///   event could not be stored. All errors are logged too.
    @discardableResult
    public func open(_ link: String) async throws -> DeepLinkOutcome { try await open(link, eventID: nil) }

    /// Opens a link and records it in an event with an id (UUIDv7) from the caller.
    @discardableResult
    package func open(_ link: String, eventID: String?) async throws -> DeepLinkOutcome {
        try await engine.started()
        // A route may name `postSilverpop` twice; only the first of the two events gets the id.
        var nextID = eventID
        do {
            guard let parts = DeepLink(link) else { throw DeepLinkError.notALink }
            return try await engine.links.open(parts) { parameters in
                _ = try await beginCampaign(parameters)
            } track: { parameters in
                defer { nextID = nil }
                return try await engine.track(
                    .named(DeepLinks.eventName, attributes: parameters.mapValues { .string($0) }), id: nextID)
            }
        } catch {
            engine.reportLink(error)
            throw error
        }
    }
}

extension BehaviorEngine {
    /// Logs an error of a link, independently of the configuration's `logging` and the debug level.
    func reportLink(_ error: any Error) { log.mistake("deep link: \(error)") }
}
