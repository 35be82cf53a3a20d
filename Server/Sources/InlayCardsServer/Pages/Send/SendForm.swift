import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form for sending a template, as typed: the users, the values and the times.
struct SendForm: Sendable {
    enum Target: String { case user, profile, segment, all }

    let target: Target
    let user: String
    let field: String
    let value: String
    let segment: String
    let isAllConfirmed: Bool
    let sendsAnyway: Bool
    /// Whether the operator has confirmed the number of users.
    let isSendConfirmed: Bool
    let embargo: String
    let expiry: String
    let lifecycle: String
    private let fields: FormFields

    init(_ fields: FormFields) {
        self.fields = fields
        target = Target(rawValue: fields["target"] ?? "") ?? .user
        user = fields.trimmed("user")
        field = fields.trimmed("field")
        value = fields["value"] ?? ""
        segment = fields.trimmed("segment")
        isAllConfirmed = fields.isOn("all.confirmed")
        sendsAnyway = fields.isOn("user.anyway")
        isSendConfirmed = fields.isOn("confirmed")
        embargo = fields.trimmed("embargo")
        expiry = fields.trimmed("expiry")
        lifecycle = fields.trimmed("lifecycle")
    }

    /// Returns the typed value of a variable; `nil` before the form was sent once.
    func value(of variable: String) -> String? { fields["variables.\(variable)"] }

    /// All typed values as hidden fields, for the page that asks for confirmation.
    var hidden: [HiddenField] {
        fields.pairs.filter { !["csrf", "confirmed", "change"].contains($0.name) }
            .map { HiddenField(hiddenName: $0.name, hiddenValue: $0.value) }
    }

    /// Returns the audience as text, for the audit log and the flash message.
    func audience(_ segments: [NamedSegment]) -> String {
        switch target {
        case .user: user
        case .segment: "the segment “\(segments.first { $0.id.rawValue == segment }?.name ?? segment)”"
        case .profile: "users with \(field) “\(value)”"
        case .all: "everyone"
        }
    }

    /// Returns the event, and the faults of fields that could not be read.
    func event(
        for published: CardTemplateDraft, templateID: CardTemplateID, in zone: CalendarZone
    ) -> (CardEventRequest, FieldErrors) {
        var faults = FieldErrors()
        var event = CardEventRequest(
            name: published.eventName, target: userTarget(&faults), templateID: templateID,
            lifecycleID: lifecycle.isEmpty ? nil : CardLifecycleID(lifecycle))
        event.embargoUntil = moment("embargo", embargo, zone, &faults)
        event.expiresAt = moment("expiry", expiry, zone, &faults)
        var values: [String: JSONValue] = [:]
        for variable in published.definition.variables where !variable.isRuntime {
            guard let text = value(of: variable.name) else { continue }
            guard let value = VariableText.value(text, variable.kind, in: zone) else {
                faults.add("variables.\(variable.name)", VariableText.hint(variable.kind))
                continue
            }
            values[variable.name] = value.json
        }
        event.variables = values.isEmpty ? nil : values
        return (event, faults)
    }

    private func userTarget(_ faults: inout FieldErrors) -> UserTarget {
        switch target {
        case .user:
            if user.isEmpty { faults.add("user", "Enter a user id.") }
            return .users([UserID(user)])
        case .profile:
            if field.isEmpty { faults.add("field", "Enter a field.") }
            return .profile(field: field, value: value)
        case .segment:
            if segment.isEmpty { faults.add("segment", "Choose a segment.") }
            return .segment(SegmentID(segment))
        case .all:
            if !isAllConfirmed { faults.add("all.confirmed", "Tick this to send to everyone.") }
            return .all
        }
    }

    private func moment(
        _ name: String, _ text: String, _ zone: CalendarZone, _ faults: inout FieldErrors
    ) -> Timestamp? {
        guard !text.isEmpty else { return nil }
        if let moment = VariableText.moment(text, in: zone) { return moment }
        faults.add(name, VariableText.hint(.date))
        return nil
    }

    /// Returns the faults of an event with the names of the form's fields.
    static func renamed(_ faults: FieldErrors) -> FieldErrors {
        var renamed = FieldErrors()
        for item in faults.items {
            let field =
                switch item.field {
                case let field where field.hasPrefix("target.users"): "user"
                case "target.profile.field": "field"
                case "target.profile.value": "value"
                case "target.segment": "segment"
                case "embargoUntil": "embargo"
                case "expiresAt": "expiry"
                case "lifecycleId": "lifecycle"
                default: item.field
                }
            renamed.add(field, item.message)
        }
        return renamed
    }
}

extension CardVariableValue {
    /// The value in the JSON of an event: a date is in microseconds.
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .integer(let number): .integer(number)
        case .boolean(let isTrue): .bool(isTrue)
        case .date(let date): .integer(date.microseconds)
        }
    }
}
