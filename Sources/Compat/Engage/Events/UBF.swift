public import Foundation
internal import InlayBehaviors
internal import InlayCore
@_spi(Inlay) import InlayWire

/// EngageSDK's universal event: a type and its params. An event is encoded as JSON when it is sent.
///
/// A param that the app sets replaces the automatic one of the same name. New code should use `Behavior`.
public final class UBF: NSObject, Sendable {
    private let state: Locked<Behavior>
    /// The id of this event, unique in the app.
    public let uid: URL

    init(_ behavior: Behavior) {
        state = Locked(behavior)
        uid = URL(string: "inlay-event:\(UUID().uuidString)") ?? URL(fileURLWithPath: "/")
    }

    convenience init(_ code: BehaviorCode, name: String? = nil, _ params: [AnyHashable: Any]?) {
        self.init(Behavior(code, name: name, attributes: EngageValues.attributes(params)))
    }

    /// Creates the event that a plug-in receives.
    convenience init(_ event: BehaviorEvent) {
        let pairs = event.attributes.map { ($0.name, JSONValue.string($0.value)) }
        self.init(
            Behavior(
                BehaviorCode(text: event.eventTypeCode) ?? .namedEvent,
                attributes: Dictionary(pairs) { first, _ in first }))
    }

    var behavior: Behavior { state.withLock { $0 } }

    /// The code of the event type: 12 to 17, 48 or 49.
    public var eventTypeCode: Int { behavior.code.rawValue }

    /// The params that were set so far. The SDK adds the automatic ones when the event is posted.
    public var params: [String: String] { behavior.attributes.mapValues { EngageValues.text($0) } }

    /// Returns the params together with the event's name and tags, under the field names of the settings.
    func attributes(_ fields: BehaviorSettings.FieldNames) -> [String: String] {
        let (behavior, params) = (behavior, params)
        var all = params
        if let name = behavior.name {
            let field = behavior.code == .namedEvent ? fields.eventName : fields.goalName
            all[field] = params[field] ?? name
        }
        if !behavior.tags.isEmpty {
            let tags = [params[fields.tags]].compactMap(\.self) + behavior.tags
            all[fields.tags] = tags.joined(separator: ",")
        }
        return all
    }

    /// Sets a param. Strings, numbers, Booleans and `nil` (empty) are sent as text, arrays as text joined with ",".
    public func addParam(_ name: String, _ value: Any?) {
        state.withLock { $0.attributes[name] = EngageValues.value(value) }
    }

    /// Adds tags by which the event can be found.
    public func addTags(_ tags: [String]) { state.withLock { $0.tags += tags } }

    public override var description: String { "UBF(\(eventTypeCode))" }
}
