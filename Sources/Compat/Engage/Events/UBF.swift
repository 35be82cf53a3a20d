public import Foundation
internal import InlayBehaviors
internal import InlayCore
@_spi(Inlay) import InlayWire

/// EngageSDK's universal event: a type and its params. It becomes JSON when it is posted.
///
/// A parameter that is set by hand replaces the automatic one of the same name. New code should use
/// `Behavior`.
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

    /// An event on its way through the plug-ins.
    convenience init(_ event: BehaviorEvent) {
        let pairs = event.attributes.map { ($0.name, JSONValue.string($0.value)) }
        self.init(
            Behavior(
                BehaviorCode(text: event.eventTypeCode) ?? .namedEvent,
                attributes: Dictionary(pairs) { first, _ in first }))
    }

    var behavior: Behavior { state.withLock { $0 } }

    /// The type's code, 12…17, 48 or 49.
    public var eventTypeCode: Int { behavior.code.rawValue }

    /// The params given so far. Automatic ones join when the event is posted.
    public var params: [String: String] { behavior.attributes.mapValues { EngageValues.text($0) } }

    /// The params, and the name and the tags of a plug-in's own under the names that the settings give them.
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

    /// Sets a param. Texts, numbers, Booleans and `nil` travel as text, arrays joined with ",".
    public func addParam(_ name: String, _ value: Any?) {
        state.withLock { $0.attributes[name] = EngageValues.value(value) }
    }

    /// Words to find the event by.
    public func addTags(_ tags: [String]) { state.withLock { $0.tags += tags } }

    public override var description: String { "UBF(\(eventTypeCode))" }
}
