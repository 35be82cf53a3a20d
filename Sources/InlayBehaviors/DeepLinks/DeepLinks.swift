import InlayCore
@_spi(Inlay) import InlayWire

/// The handlers of links by their names. Opening a link runs the handlers of its route.
final class DeepLinks: Sendable {
    /// The name of the SDK's own handler, which records the link in an event.
    static let ownHandler = "postSilverpop"
    /// The name of the event that `ownHandler` records.
    static let eventName = "Deep Link Opened"

    private let configuration: DeepLinkConfiguration?
    private let handlers = Locked<[String: DeepLinkHandler]>([:])
    private let log: @Sendable (String) -> Void

    init(_ configuration: DeepLinkConfiguration?, log: @escaping @Sendable (String) -> Void) {
        (self.configuration, self.log) = (configuration, log)
    }

    func register(_ name: String, _ handler: @escaping DeepLinkHandler) {
        handlers.withLock { $0[name] = handler }
    }

    /// Runs the handlers of the link's route. `campaign` receives every parameter before they run, `track`
    /// stores the event.
    func open(
        _ link: DeepLink, campaign: ([String: String]) async throws -> Void,
        track: ([String: String]) async throws -> String
    ) async throws -> DeepLinkOutcome {
        let match = configuration?.match(link)
        // A campaign is named in the route's path, else in the query.
        try await campaign(link.formParameters.merging(match?.path ?? [:]) { $1 })
        guard let configuration else { throw DeepLinkError.noConfiguration }
        guard let match else { throw DeepLinkError.noRoute }
        if configuration.isLogging { log("\(link.scheme)://\(link.host): route \(match.route ?? "default")") }
        var outcome = DeepLinkOutcome(route: match.route, parameters: match.parameters, eventID: nil)
        for name in match.handlers {
            if let handler = handlers.withLock({ $0[name] }) {
                do { try await handler(&outcome.parameters) } catch {
                    throw DeepLinkError.handlerFailed(name, reason: String(describing: error))
                }
            } else if name == Self.ownHandler {
                let id = try await track(outcome.parameters)
                outcome.eventID = outcome.eventID ?? id
            } else {
                throw DeepLinkError.unknownHandler(name)
            }
            if configuration.isLogging { log("handler \(name) ran") }
        }
        return outcome
    }
}

/// The outcome of opening a link.
public struct DeepLinkOutcome: Hashable, Sendable {
    /// The route that the link took; `nil` for the default route.
    public var route: String?
    /// The parameters of the route's handlers, with the changes of all handlers.
    public var parameters: [String: String]
    /// The id of the first event that records the link; `nil` when the route has no handler that records one.
    public var eventID: String?
}

/// The app's handler of a link's parameters. It may change them for the handlers after it.
public typealias DeepLinkHandler = @Sendable (inout [String: String]) async throws -> Void
