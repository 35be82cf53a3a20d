import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The condition that a user had an event at least a number of times in the last days.
package struct EventCondition: AudienceCondition {
    /// An event, a minimum count and a number of days.
    package struct Definition: Hashable, Sendable, Codable {
        package var code: Int
        /// The event's or goal's name; any when `nil`.
        package var name: String?
        /// The minimum number of events, 1 to 1,000,000.
        package var atLeast: Int
        /// The number of days before now, 1 to 3,660.
        package var days: Int

        /// Creates a definition; by default for at least one event.
        package init(code: Int, name: String? = nil, atLeast: Int = 1, days: Int) {
            self.code = code
            self.name = name
            self.atLeast = atLeast
            self.days = days
        }
    }

    private static let countRange = 1...1_000_000

    static let kind = "event"
    package var kind: String { Self.kind }
    package var label: String { "did" }
    package var oppositeLabel: String { "did not do" }

    package func fields(in audience: AudienceContext) -> [AudienceField] {
        [
            .init("code", "What", .choice(EventCode.choices.map { .init($0.0, $0.1) }), initial: "16"),
            .init("eventName", "Named", hint: "Empty: any name."),
            .init("atLeast", "Minimum count", .number(unit: "times"), initial: "1"),
            .init("days", "In the last", .number(unit: "days"), initial: "30"),
        ]
    }

    package func values(of event: Definition) -> [String: String] {
        [
            "code": "\(event.code)", "eventName": event.name ?? "", "atLeast": "\(event.atLeast)",
            "days": "\(event.days)",
        ]
    }

    package func definition(from values: [String: String]) throws(FieldErrors) -> Definition {
        var faults = FieldErrors()
        func number(_ name: String, _ range: ClosedRange<Int>) -> Int {
            let rule = "A whole number from \(range.lowerBound) to \(range.upperBound)."
            return faults.number(values[name] ?? "", in: name, rule: rule) {
                $0.integer.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
            } ?? 0
        }
        let name = values["eventName"]?.trimmed ?? ""
        let event = Definition(
            code: Int(values["code"]?.trimmed ?? "") ?? 0, name: name.isEmpty ? nil : name,
            atLeast: number("atLeast", Self.countRange), days: number("days", BehaviorLimits.retentionRange))
        try faults.throwIfAny()
        return event
    }

    package func users(_ event: Definition, in audience: AudienceContext) throws -> AudienceQuery {
        try check(event)
        let start = audience.now + .seconds(-Int64(event.days) * 86_400)
        let name = event.name.map { [SQLValue.text(EventCheck.indexedName($0))] } ?? []
        return AudienceQuery(
            from: "behavior_events e", environment: "e.environment_id", user: "e.user_id",
            where: "e.code = ?\(name.isEmpty ? "" : " AND e.name = ?") AND e.happened_at >= ?",
            [.int(event.code)] + name + [.moment(start)], minimumRows: event.atLeast)
    }

    private func check(_ event: Definition) throws(FieldErrors) {
        var faults = FieldErrors()
        if EventCode(rawValue: event.code) == nil {
            faults.add(
                "code", "Known: \(EventCode.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")).")
        }
        if !Self.countRange.contains(event.atLeast) { faults.add("atLeast", "1 to 1000000 times.") }
        if !BehaviorLimits.retentionRange.contains(event.days) { faults.add("days", "1 to 3660 days.") }
        try faults.throwIfAny()
    }
}

extension SegmentCondition {
    /// A condition on events.
    package init(_ event: EventCondition.Definition, isNot: Bool = false) {
        var members: [String: JSONValue] = [
            "code": .integer(Int64(event.code)), "atLeast": .integer(Int64(event.atLeast)),
            "days": .integer(Int64(event.days)),
        ]
        members["name"] = event.name.map { .string($0) }
        self.init(kind: EventCondition.kind, .object(members), isNot: isNot)
    }
}
