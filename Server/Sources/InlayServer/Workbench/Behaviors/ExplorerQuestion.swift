import Foundation
import InlayWire

/// What the explorer is asked, read from its address; what cannot be read counts as not asked.
struct ExplorerQuestion {
    let days: Int
    let grouping: BehaviorGrouping
    private(set) var filter = BehaviorFilter()
    private let query: FormFields

    init(_ query: FormFields, now: Timestamp) {
        self.query = query
        days = [1, 7, 30, 90].first { "\($0)" == query["days"] } ?? 7
        let by = query.trimmed("by")
        grouping =
            switch by {
            case "", "none": .none
            case "name": .name
            case "code": .code
            case "campaign": .campaign
            default: .attribute(String(by.prefix(200)))
            }
        filter.until = now
        filter.from = now + .seconds(-86_400 * days)
        filter.code = Int(query.trimmed("code"))
        filter.name = Self.text(query, "name")
        filter.userID = Self.text(query, "user")
        filter.campaign = Self.text(query, "campaign")
        if let attribute = Self.text(query, "attribute") {
            filter.attributes = [.init(attribute, Self.text(query, "value"))]
        }
    }

    /// One day is drawn by hours, more by days.
    var isHourly: Bool { days == 1 }
    var span: Duration { isHourly ? .seconds(3_600) : .seconds(86_400) }

    var groupTitle: String {
        switch grouping {
        case .none: "All"
        case .name: "Name"
        case .code: "Kind"
        case .campaign: "Campaign"
        case .attribute(let name): name
        }
    }

    /// A group as people read it.
    func label(_ label: String) -> String {
        if grouping == .none { return "Events" }
        if label.isEmpty { return "(none)" }
        guard grouping == .code, let code = Int(label) else { return label }
        return EventCode(rawValue: code)?.words ?? label
    }

    /// The form, as it was asked.
    func fields(attributes: [String]) -> [FieldView] {
        var groups = [("none", "Nothing"), ("name", "Name"), ("code", "Kind"), ("campaign", "Campaign")]
        groups += attributes.map { ($0, "Attribute: \($0)") }
        let times = [("1", "Last day"), ("7", "Last 7 days"), ("30", "Last 30 days"), ("90", "Last 90 days")]
        return [
            .choice("days", "Time", "\(days)", of: times),
            .choice("code", "Kind", query.trimmed("code"), of: [("", "Every kind")] + EventCode.choices),
            .line("name", "Name", query.trimmed("name")),
            .line("user", "User", query.trimmed("user")),
            .line("campaign", "Campaign", query.trimmed("campaign")),
            .line("attribute", "Has the attribute", query.trimmed("attribute")),
            .line("value", "With the value", query.trimmed("value")),
            .choice("by", "Group by", query.trimmed("by"), of: groups),
        ]
    }

    private static func text(_ query: FormFields, _ name: String) -> String? {
        let text = String(query.trimmed(name).prefix(500))
        return text.isEmpty ? nil : text
    }
}

extension Timestamp {
    /// For example `2026-11-21`.
    var dayWords: String { String(Date(timeIntervalSince1970: seconds).ISO8601Format().prefix(10)) }
    /// For example `14:00`.
    var hourWords: String {
        String(Date(timeIntervalSince1970: seconds).ISO8601Format().dropFirst(11).prefix(5))
    }
}
