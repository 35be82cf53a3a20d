public import Foundation
internal import InlayCards
internal import InlayCore

extension AACSession {
    /// Observes a container without a view. The handler gets the whole list after every change, or `nil` when the
    /// cards could not be fetched.
    @discardableResult
    public static func observeStreamContainer(
        identifier: String, configuration: AACStreamContainerObserverConfiguration?,
        handler: @escaping @MainActor ([AACCardInstance]?) -> Void
    ) -> any NSObjectProtocol & Sendable {
        let opening = runtime.required("observeStreamContainer")
        let configuration = configuration ?? AACStreamContainerObserverConfiguration()
        let (filters, interval) = (
            AACCardFilter.engine(configuration.filters), polling(configuration.cardListRefreshInterval)
        )
        let variables = DelegateVariables.make(
            configuration.runtimeVariableDelegate, limit: configuration.runtimeVariableResolutionTimeout,
            sendsAnalytics: configuration.sendRuntimeVariableAnalytics)
        return observe(opening, identifier, filters, interval, variables) { state, last in
            let value: [Card]?? = state.failure == nil ? state.cards : .some(nil)
            guard value != last else { return last }
            let cards = state.failure == nil ? state.cards : nil
            await MainActor.run { handler(cards?.map(AACCardInstance.init)) }
            return value
        }
    }

    /// Ends an observation of a container.
    public static func stopObservingStreamContainer(token: any NSObjectProtocol) { stop(token) }

    /// Observes the number of cards of a container. The interval, in seconds, is that of polls while no WebSocket is
    /// open; values below 1 become 1.
    @discardableResult
    public static func observeCardCountForStreamContainer(
        withIdentifier streamContainerId: String, interval: TimeInterval,
        handler: @escaping @MainActor (NSNumber?) -> Void
    ) -> any NSObjectProtocol & Sendable {
        observeCardCountForStreamContainer(
            withIdentifier: streamContainerId, interval: interval, filters: nil, handler: handler)
    }

    /// Observes the number of cards of a container that match all filters. The handler gets `nil` when the cards could
    /// not be fetched.
    @discardableResult
    public static func observeCardCountForStreamContainer(
        withIdentifier streamContainerId: String, interval: TimeInterval, filters: [AACCardFilter]?,
        handler: @escaping @MainActor (NSNumber?) -> Void
    ) -> any NSObjectProtocol & Sendable {
        let opening = runtime.required("observeCardCountForStreamContainer")
        return observe(opening, streamContainerId, AACCardFilter.engine(filters), polling(interval), nil) {
            (state, last: Int??) in
            let value: Int?? = state.failure == nil ? state.cards.count : .some(nil)
            guard value != last else { return last }
            let (count, total) = (state.failure == nil ? state.cards.count : nil, state.total)
            await MainActor.run {
                if let count { postCount(count, total: total, of: streamContainerId) }
                handler(count.map { NSNumber(value: $0) })
            }
            return value
        }
    }

    /// Ends an observation of a card count.
    public static func stopObservingCardCount(_ token: any NSObjectProtocol) { stop(token) }

    /// Fetches the number of cards of a container once; the handler gets `nil` when the cards could not be fetched.
    public static func requestCardCountForStreamContainer(
        withIdentifier streamContainerId: String, handler: @escaping @MainActor (NSNumber?) -> Void
    ) {
        let opening = runtime.required("requestCardCountForStreamContainer")
        // Ends with the server's response.
        Task {
            let count = try? await opening.session().cards.cards(in: streamContainerId).count
            await MainActor.run {
                if let count { postCount(count, total: count, of: streamContainerId) }
                handler(count.map { NSNumber(value: $0) })
            }
        }
    }

    /// Starts an observation, which runs until its token is stopped or the session ends. `report` gets each state and
    /// the value that `report` returned for the state before.
    private static func observe<Value: Sendable>(
        _ opening: AtomicOpening, _ container: String, _ filters: [CardFilter], _ interval: Duration,
        _ variables: RuntimeVariables?,
        _ report: @escaping @Sendable (CardFeedState, Value?) async -> Value?
    ) -> any NSObjectProtocol & Sendable {
        // Ends with the session, or when the token is stopped.
        let task = Task {
            guard let session = try? await opening.session() else { return }
            var last: Value?
            let states = session.cards.observe(
                container, filters: filters, pollEvery: interval, variables: variables)
            for await state in states where !Task.isCancelled { last = await report(state, last) }
        }
        let token = ObservationToken(task)
        runtime.change { $0.tokens[ObjectIdentifier(token)] = task }
        return token
    }

    private static func stop(_ token: any NSObjectProtocol) {
        guard let token = token as? ObservationToken else { return }
        token.stop()
        runtime.change { $0.tokens[ObjectIdentifier(token)] = nil }
    }

    private static func polling(_ seconds: TimeInterval) -> Duration {
        max(.seconds(1), .seconds(notBelowZero: seconds))
    }

    @MainActor static func postCount(_ count: Int, total: Int, of container: String) {
        NotificationCenter.default.post(
            name: NSNotification.Name(AACSessionCardCountDidChange), object: container,
            userInfo: [AACSessionCardCountUserInfoKey: count, AACSessionTotalCardCountUserInfoKey: total])
    }
}

/// The name of the notification that the count of a container's cards has changed or was fetched; its object is the
/// container's id.
public let AACSessionCardCountDidChange = "AACSessionCardCountDidChange"
/// The key of the number of visible cards in the notification's user info.
public let AACSessionCardCountUserInfoKey = "AACSessionCardCountUserInfoKey"
/// The key of the number of all cards of the container in the notification's user info.
public let AACSessionTotalCardCountUserInfoKey = "AACSessionTotalCardCountUserInfoKey"

/// The token for `stopObserving…`. Releasing it does not end the observation, as documented.
private final class ObservationToken: NSObject, Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    func stop() { task.cancel() }
}

extension AACSession {
    /// Observes the SDK's events. A second call replaces the handler; `nil` ends the observation.
    public static func observeSDKEvents(completionHandler: (@MainActor (AACSDKEvent) -> Void)?) {
        runtime.change { $0.eventHandler = completionHandler }
    }

    /// Ends the observation of SDK events.
    public static func stopObservingSDKEvents() { observeSDKEvents(completionHandler: nil) }
}
