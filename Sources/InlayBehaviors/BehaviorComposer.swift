import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A composer of the events to store: the app's attributes, and the automatic ones that the app does not set.
struct BehaviorComposer: Sendable {
    let settings: BehaviorSettings

    func compose(
        _ behavior: Behavior, id: String? = nil, at time: Timestamp, campaign: CampaignState, facts: Int64
    ) throws(BehaviorError) -> OutboxBehavior {
        // First, so that an event with ten thousand attributes costs only this check.
        guard behavior.attributes.count <= BehaviorLimits.maximumAttributes else {
            throw .tooManyAttributes(behavior.attributes.count)
        }
        var attributes: [BehaviorEvent.Attribute] = []
        attributes.reserveCapacity(behavior.attributes.count + 4)
        for (name, value) in behavior.attributes.sorted(by: { $0.key < $1.key }) {
            guard let text = value.attributeText else { throw .notFinite(name: name) }
            attributes.append(BehaviorEvent.Attribute(name: name, value: text))
        }
        for (name, value) in automatic(behavior, at: time, campaign) {
            attributes.append(BehaviorEvent.Attribute(name: name, value: value))
        }
        let event = OutboxBehavior(
            id: id ?? UUIDv7.make(at: time), time: time, code: behavior.code.text, facts: facts,
            attributes: attributes.storable)
        try BehaviorLimits.check(event)
        return event
    }

    private func automatic(
        _ behavior: Behavior, at time: Timestamp, _ campaign: CampaignState
    ) -> [(String, String)] {
        let fields = settings.fields
        var attributes: [(String, String)] = []
        switch behavior.code {
        case .namedEvent: attributes.append((fields.eventName, behavior.name ?? ""))
        case .goalCompleted, .goalAbandoned: attributes.append((fields.goalName, behavior.name ?? ""))
        case .installed:
            if let last = campaign.last(at: time) { attributes.append((fields.lastCampaign, last)) }
        default: break
        }
        if let name = campaign.current(at: time) { attributes.append((fields.currentCampaign, name)) }
        if !behavior.tags.isEmpty { attributes.append((fields.tags, behavior.tags.joined(separator: ","))) }
        return attributes
    }
}

extension [BehaviorEvent.Attribute] {
    /// The attributes without NUL characters, which the server's database cannot store; of attributes that then have
    /// the same name, the first.
    var storable: [BehaviorEvent.Attribute] {
        var names: Set<String> = []
        return compactMap { attribute in
            let name = Self.withoutNUL(attribute.name)
            guard names.insert(name).inserted else { return nil }
            return BehaviorEvent.Attribute(name: name, value: Self.withoutNUL(attribute.value))
        }
    }

    private static func withoutNUL(_ text: String) -> String {
        text.utf8.contains(0) ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : text
    }
}

extension JSONValue {
    /// The value as the text of an attribute; `nil` for an infinite number and for "not a number".
    fileprivate var attributeText: String? {
        switch self {
        case .null: return ""
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number):
            guard number.isFinite else { return nil }
            // Where all numbers are doubles, JSON's 3 is 3.0 here; its text is "3" again.
            return number.decimalText
        case .string(let text): return text
        case .array(let elements):
            let texts = elements.compactMap(\.attributeText)
            return texts.count == elements.count ? texts.joined(separator: ",") : nil
        case .object:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
