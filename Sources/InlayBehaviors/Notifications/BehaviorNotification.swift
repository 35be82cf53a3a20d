public import InlayWire

/// A notification as far as events tell of it.
public struct BehaviorNotification: Hashable, Sendable {
    /// What it said; empty when it said nothing.
    public var message: String
    /// What its button asked for, if it had one.
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
