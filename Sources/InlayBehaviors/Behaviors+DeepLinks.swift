extension Behaviors {
    /// Registers the app's handler for a name that the deep-link configuration uses.
    ///
    /// `postSilverpop` is ours unless the app registers its own.
    public func registerLinkHandler(_ name: String, _ handler: @escaping DeepLinkHandler) {
        engine.links.register(name, handler)
    }

    /// Takes a link to the handlers of its route. The campaign that it names begins, also when no route
    /// fits and when there is no configuration.
    ///
    /// - Throws: `DeepLinkError` for what is wrong with the link, its route or a handler; it is logged too,
    ///   and nothing else is affected. `BehaviorError` when the event could not be stored.
    @discardableResult
    public func open(_ link: String) async throws -> DeepLinkOutcome { try await open(link, eventID: nil) }

    /// Opens a link; the event that records it gets an id (UUIDv7) that the caller made.
    @discardableResult
    package func open(_ link: String, eventID: String?) async throws -> DeepLinkOutcome {
        try await engine.started()
        // A route may name our handler twice, which makes two events.
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
    /// Errors are logged whatever the configuration and the debug level say of logging.
    func reportLink(_ error: any Error) { log.mistake("deep link: \(error)") }
}
