import InlayWire

/// What is typed about a segment: its name and its conditions, one after the other.
struct SegmentForm {
    /// One condition as it was typed; both kinds keep their fields, so that changing one's mind costs nothing.
    struct Condition {
        /// Empty, `event`, `notEvent`, `contact` or `notContact`.
        var kind = ""
        var code = "16"
        var eventName = ""
        var atLeast = "1"
        var days = "30"
        /// A list's id and a column's name with a colon between.
        var column = ""
        var comparison = SegmentCondition.Comparison.equals.rawValue
        var value = ""
    }

    var name: String
    var matchesAny: Bool
    var conditions: [Condition]

    /// What a form holds; a press on a button that adds or removes a condition is followed.
    init(_ form: FormFields) {
        name = form.trimmed("name")
        matchesAny = form["match"] == "any"
        conditions = []
        while conditions.count < SegmentRule.mostConditions,
            let kind = form["\(Self.path(conditions.count)).kind"]
        {
            conditions.append(Condition(form, Self.path(conditions.count), kind: kind))
        }
        let wish = form["op"] ?? ""
        if wish.hasPrefix("remove."), let index = Int(wish.dropFirst("remove.".count)),
            conditions.indices.contains(index)
        {
            conditions.remove(at: index)
        }
        if conditions.isEmpty { conditions.append(Condition(kind: "event")) }
        if wish == "add", conditions.count < SegmentRule.mostConditions {
            conditions.append(Condition(kind: "event"))
        }
    }

    /// A segment as it was kept last.
    init(_ segment: Segment) {
        (name, matchesAny) = (segment.name, segment.rule.matchesAny)
        conditions = segment.rule.conditions.map(Condition.init)
    }

    /// Where the fields of a condition begin.
    static func path(_ index: Int) -> String { "conditions[\(index)]" }

    /// The rule, with what could not be read.
    func rule() -> (SegmentRule, FieldErrors) {
        var faults = FieldErrors()
        let conditions = conditions.enumerated().compactMap { index, typed in
            typed.condition(Self.path(index), &faults)
        }
        return (SegmentRule(conditions, matchesAny: matchesAny), faults)
    }
}

extension SegmentForm.Condition {
    fileprivate init(_ form: FormFields, _ path: String, kind: String) {
        self.kind = kind
        code = form.trimmed("\(path).code")
        eventName = form.trimmed("\(path).eventName")
        atLeast = form.trimmed("\(path).atLeast")
        days = form.trimmed("\(path).days")
        column = form["\(path).column"] ?? ""
        comparison = form["\(path).comparison"] ?? ""
        value = form["\(path).value"] ?? ""
    }

    fileprivate init(_ condition: SegmentCondition) {
        let isNot = condition.isNot == true
        if let event = condition.event {
            kind = isNot ? "notEvent" : "event"
            (code, eventName) = ("\(event.code)", event.name ?? "")
            (atLeast, days) = ("\(event.atLeast)", "\(event.days)")
        } else if let contact = condition.contact {
            kind = isNot ? "notContact" : "contact"
            column = "\(contact.list):\(contact.column)"
            (comparison, value) = (contact.comparison.rawValue, contact.value)
        }
    }

    /// The condition; `nil` with a fault for what cannot be read.
    fileprivate func condition(_ path: String, _ faults: inout FieldErrors) -> SegmentCondition? {
        switch kind {
        case "event", "notEvent":
            let before = faults.items.count
            let times = number(atLeast, 1...1_000_000, "\(path).atLeast", &faults)
            let days = number(days, BehaviorLimits.retentionRange, "\(path).days", &faults)
            guard faults.items.count == before else { return nil }
            let event = SegmentCondition.Event(
                code: Int(code) ?? 0, name: eventName.isEmpty ? nil : eventName, atLeast: times, days: days)
            return SegmentCondition(event, isNot: kind == "notEvent")
        case "contact", "notContact":
            let parts = column.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let list = Int64(parts[0]),
                let comparison = SegmentCondition.Comparison(rawValue: comparison)
            else {
                faults.add("\(path).column", "Choose a column.")
                return nil
            }
            return SegmentCondition(
                .init(list: list, column: String(parts[1]), comparison, value), isNot: kind == "notContact")
        default:
            faults.add("\(path).kind", "Choose what users are asked for.")
            return nil
        }
    }

    private func number(
        _ text: String, _ range: ClosedRange<Int>, _ name: String, _ faults: inout FieldErrors
    ) -> Int {
        guard let number = Int(text), range.contains(number) else {
            faults.add(name, "A whole number from \(range.lowerBound) to \(range.upperBound).")
            return 0
        }
        return number
    }
}
