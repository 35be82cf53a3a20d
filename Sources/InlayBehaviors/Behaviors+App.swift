@_spi(Inlay) public import InlayWire

extension Behaviors {
    /// Continues the session, or ends an expired one and starts a new one; call it when the app becomes active.
    public func appBecameActive() async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.sessions.enter() } catch { throw error as? BehaviorError ?? .notStored(error) }
    }

    /// Pauses the session and sends the events that are ready; call it when the app moves to the background.
    public func appWasLeft() async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.sessions.leave() } catch { throw error as? BehaviorError ?? .notStored(error) }
        await engine.flush()
    }

    /// Stores the event that a notification arrived (type code 48), and returns the event's id.
    @discardableResult
    public func notificationReceived(
        _ notification: BehaviorNotification, attributes: [String: JSONValue] = [:]
    ) async throws(BehaviorError) -> String {
        try await notificationReceived(notification, attributes: attributes, eventID: nil)
    }

    /// Stores the event that a notification arrived, with an id (UUIDv7) from the caller, and returns the id.
    @discardableResult
    package func notificationReceived(
        _ notification: BehaviorNotification, attributes: [String: JSONValue], eventID: String?
    ) async throws(BehaviorError) -> String {
        try await trackNotification(.receivedNotification, notification, attributes, id: eventID)
    }

    /// Stores the event that a notification was opened (type code 49), and returns the event's id. The campaign in the
    /// notification's payload begins.
    @discardableResult
    public func notificationOpened(
        _ notification: BehaviorNotification, attributes: [String: JSONValue] = [:]
    ) async throws(BehaviorError) -> String {
        try await notificationOpened(notification, attributes: attributes, eventID: nil)
    }

    /// Stores the event that a notification was opened, with an id (UUIDv7) from the caller, and returns the id.
    @discardableResult
    package func notificationOpened(
        _ notification: BehaviorNotification, attributes: [String: JSONValue], eventID: String?
    ) async throws(BehaviorError) -> String {
        try await engine.started()
        let names = settings.parameters.ofCampaigns
        let write = engine.recorder.beginCampaign(
            CampaignParameters.find(names, in: notification.payload))
        return try await trackNotification(
            .openedNotification, notification, attributes, id: eventID, with: write)
    }

    /// Begins the campaign that the parameters name, as a link with these parameters does; returns whether one began.
    @discardableResult
    public func beginCampaign(_ parameters: [String: String]) async throws(BehaviorError) -> Bool {
        try await engine.started()
        guard let write = engine.recorder.beginCampaign(parameters) else { return false }
        do { try await engine.store.database.write(write) } catch { throw .notStored(error) }
        return true
    }

    private func trackNotification(
        _ code: BehaviorCode, _ notification: BehaviorNotification, _ attributes: [String: JSONValue],
        id: String?, with write: BehaviorRecorder.Write? = nil
    ) async throws(BehaviorError) -> String {
        let name = settings.parameters.callToAction
        let found = CampaignParameters.find([name], in: notification.payload)[name]
        var all = attributes
        let automatic = [
            (settings.fields.displayedMessage, notification.message as String?),
            (settings.fields.callToAction, found ?? notification.action),
        ]
        for (field, value) in automatic where all[field] == nil {
            // A notification's text may be longer than an attribute's limit.
            all[field] = value.map {
                .string(BehaviorLimits.cut($0))
            }
        }
        return try await engine.track(Behavior(code, attributes: all), id: id, with: write)
    }
}

/// The parts of a notification that events contain.
public struct BehaviorNotification: Hashable, Sendable {
    /// The text of the notification; empty when it had none.
    public var message: String
    /// The action of its button, if it had one.
    public var action: String?
    /// The notification's payload; the parameters that the settings name are found at any depth.
    public var payload: [String: JSONValue]

    /// Creates a notification that the app scheduled itself.
    public static func local(
        body: String?, action: String? = nil, userInfo: [String: JSONValue] = [:]
    ) -> Self {
        Self(message: body ?? "", action: action, payload: userInfo)
    }

    /// Creates a notification from the dictionary of a push service.
    ///
    /// The message is `aps.alert` when that is a text, else `aps.alert.body`, else empty.
    public static func push(_ payload: [String: JSONValue]) -> Self {
        let alert = payload["aps"]?["alert"]
        return Self(message: alert?.string ?? alert?["body"]?.string ?? "", action: nil, payload: payload)
    }
}
