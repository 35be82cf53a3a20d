import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// Makes of what the app says the event that is kept: automatic attributes, and what the app says over them.
struct BehaviorComposer: Sendable {
    let settings: BehaviorSettings

    func compose(
        _ behavior: Behavior, id: String? = nil, at time: Timestamp, campaign: CampaignState, facts: Int64
    ) throws(BehaviorError) -> OutboxBehavior {
        // Before anything is built from it: ten thousand attributes cost nothing but this look.
        guard behavior.attributes.count <= BehaviorLimits.attributes else {
            throw .tooManyAttributes(behavior.attributes.count)
        }
        var attributes: [BehaviorEvent.Attribute] = []
        attributes.reserveCapacity(behavior.attributes.count + 4)
        for (name, value) in behavior.attributes.sorted(by: { $0.key < $1.key }) {
            guard let text = value.attributeText else { throw .notFinite(name: name) }
            attributes.append(BehaviorEvent.Attribute(name: Self.plain(name), value: Self.plain(text)))
        }
        for (name, value) in automatic(behavior, at: time, campaign) where behavior.attributes[name] == nil {
            attributes.append(BehaviorEvent.Attribute(name: name, value: Self.plain(value)))
        }
        let event = OutboxBehavior(
            id: id ?? UUIDv7.make(at: time), time: time, code: behavior.code.text, facts: facts,
            attributes: attributes)
        try BehaviorLimits.check(event)
        return event
    }

    private func automatic(
        _ behavior: Behavior, at time: Timestamp, _ campaign: CampaignState
    ) -> [(String, String)] {
        let fields = settings.fields
        var found: [(String, String)] = []
        switch behavior.code {
        case .namedEvent: found.append((fields.eventName, behavior.name ?? ""))
        case .goalCompleted, .goalAbandoned: found.append((fields.goalName, behavior.name ?? ""))
        case .installed:
            if let last = campaign.last(at: time) { found.append((fields.lastCampaign, last)) }
        default: break
        }
        if let name = campaign.current(at: time) { found.append((fields.currentCampaign, name)) }
        if !behavior.tags.isEmpty { found.append((fields.tags, behavior.tags.joined(separator: ","))) }
        return found
    }

    /// No server's database takes NUL characters; nobody misses them.
    private static func plain(_ text: String) -> String {
        text.utf8.contains(0) ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : text
    }
}

extension JSONValue {
    /// The value as the text of an attribute; `nil` for a number that JSON cannot carry.
    fileprivate var attributeText: String? {
        switch self {
        case .null: return ""
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number):
            guard number.isFinite else { return nil }
            // 3.0 is how JSON's 3 arrives where numbers are doubles.
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
