import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The query of the explorer, read from the URL; parameters that cannot be read are ignored.
struct ExplorerQuery {
    let days: Int
    /// The days of the query; today is the last.
    let range: ClosedRange<CalendarDay>
    let grouping: BehaviorGrouping
    private let zone: CalendarZone
    private(set) var filter = BehaviorFilter()
    private let query: FormFields

    init(_ query: FormFields, now: Timestamp, in zone: CalendarZone) {
        self.query = query
        self.zone = zone
        days = [1, 7, 30, 90].first { "\($0)" == query["days"] } ?? 7
        let today = zone.day(of: now)
        range = today.adding(1 - days)...today
        let by = query.trimmed("by")
        grouping =
            switch by {
            case "", "none": .none
            case "name": .name
            case "code": .code
            case "campaign": .campaign
            default: .attribute(by.prefix(scalars: BehaviorLimits.maximumNameBytes))
            }
        (filter.from, filter.until) = (zone.start(of: range.lowerBound), zone.start(of: today.adding(1)))
        filter.code = Int(query.trimmed("code"))
        filter.name = Self.text(query, "name")
        filter.userID = Self.text(query, "user").map { UserID($0) }
        filter.campaign = Self.text(query, "campaign")
        if let attribute = Self.text(query, "attribute") {
            filter.attributes = [.init(attribute, Self.text(query, "value"))]
        }
    }

    /// Whether the chart shows hours, for a single day, instead of days.
    var isHourly: Bool { days == 1 }
    /// The hours of today, or the days.
    var buckets: TimeBuckets { isHourly ? zone.hours(of: range.upperBound) : zone.days(range) }
    /// The equally long period before the query's.
    var before: TimeBuckets {
        let last = range.lowerBound.adding(-1)
        return isHourly ? zone.hours(of: last) : zone.days(last.adding(1 - days)...last)
    }
    /// The labels of the buckets: times of day or dates.
    var labels: [String] {
        buckets.starts.map { isHourly ? zone.clock($0) : zone.day(of: $0).shortText }
    }
    /// The period as text, for example “in the last 7 days”.
    var timeText: String { days == 1 ? "today" : "in the last \(days) days" }

    var groupTitle: String {
        switch grouping {
        case .none: "All"
        case .name: "Name"
        case .code: "Kind"
        case .campaign: "Campaign"
        case .attribute(let name): name
        }
    }

    /// Returns the displayed name of a group.
    func label(_ label: String) -> String {
        if grouping == .none { return "Events" }
        if label.isEmpty { return "(none)" }
        guard grouping == .code, let code = Int(label) else { return label }
        return EventCode(rawValue: code)?.label ?? label
    }

    /// Returns the fields of the form, filled with the query's values.
    func fields(attributes: [String]) -> [FieldView] {
        var groups = [("none", "Nothing"), ("name", "Name"), ("code", "Kind"), ("campaign", "Campaign")]
        groups += attributes.map { ($0, "Attribute: \($0)") }
        let times = [("1", "Today"), ("7", "Last 7 days"), ("30", "Last 30 days"), ("90", "Last 90 days")]
        return [
            .choice("days", "Time", "\(days)", of: times),
            .choice("code", "Kind", query.trimmed("code"), of: [("", "Every kind")] + EventCode.choices),
            FieldView.line("name", "Name", query.trimmed("name")).with { $0.list = "plain-names" },
            .line("user", "User", query.trimmed("user")),
            .line("campaign", "Campaign", query.trimmed("campaign")),
            FieldView.line("attribute", "Has the attribute", query.trimmed("attribute"))
                .with { $0.list = "attribute-names" },
            .line("value", "With the value", query.trimmed("value")),
            .choice("by", "Group by", query.trimmed("by"), of: groups),
        ]
    }

    private static func text(_ query: FormFields, _ name: String) -> String? {
        let text = query.trimmed(name).prefix(scalars: 500)
        return text.isEmpty ? nil : text
    }
}
