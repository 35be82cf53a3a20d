@_spi(Inlay) public import InlayWire

extension Behaviors {
    /// The app came to the front: goes on with the session, or ends the old one and starts a new one.
    public func appBecameActive() async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.sessions.enter() } catch { throw error as? BehaviorError ?? .notStored(error) }
    }

    /// The app was left: the session rests, and what is ready is sent.
    public func appWasLeft() async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.sessions.leave() } catch { throw error as? BehaviorError ?? .notStored(error) }
        await engine.flush()
    }

    /// A notification arrived (48).
    @discardableResult
    public func notificationReceived(
        _ notification: BehaviorNotification, attributes: [String: JSONValue] = [:]
    ) async throws(BehaviorError) -> String {
        try await notificationReceived(notification, attributes: attributes, eventID: nil)
    }

    /// A notification arrived; its event gets an id (UUIDv7) that the caller made.
    @discardableResult
    package func notificationReceived(
        _ notification: BehaviorNotification, attributes: [String: JSONValue], eventID: String?
    ) async throws(BehaviorError) -> String {
        try await trackNotification(.receivedNotification, notification, attributes, id: eventID)
    }

    /// A notification was opened (49). The campaign that it names begins.
    @discardableResult
    public func notificationOpened(
        _ notification: BehaviorNotification, attributes: [String: JSONValue] = [:]
    ) async throws(BehaviorError) -> String {
        try await notificationOpened(notification, attributes: attributes, eventID: nil)
    }

    /// A notification was opened; its event gets an id (UUIDv7) that the caller made.
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

    /// Sets the campaign that parameters name, as a link with these parameters would; whether one began.
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
            // A notification may say more than an attribute holds.
            all[field] = value.map {
                .string(BehaviorLimits.cut($0))
            }
        }
        return try await engine.track(Behavior(code, attributes: all), id: id, with: write)
    }
}

/// A notification as far as events tell of it.
public struct BehaviorNotification: Hashable, Sendable {
    /// The text of the notification; empty when it had none.
    public var message: String
    /// The action of its button, if it had one.
    public var action: String?
    /// Everything that came with it; the parameters of the settings are looked for at any depth.
    public var payload: [String: JSONValue]

    /// A notification that the app scheduled itself.
    public static func local(
        body: String?, action: String? = nil, userInfo: [String: JSONValue] = [:]
    ) -> Self {
        Self(message: body ?? "", action: action, payload: userInfo)
    }

    /// A notification from a push service, as its dictionary came.
    ///
    /// The message is `aps.alert` when that is a text, else `aps.alert.body`, else empty.
    public static func push(_ payload: [String: JSONValue]) -> Self {
        let alert = payload["aps"]?["alert"]
        return Self(message: alert?.string ?? alert?["body"]?.string ?? "", action: nil, payload: payload)
    }
}
