import Foundation
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The parsing of text that people type into forms.
package enum TypedText {
    /// Returns the texts between commas and line breaks, without empty ones.
    package static func words(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns a whole number; 0 with a fault for anything else.
    package static func number(_ form: FormFields, _ name: String, _ faults: inout FieldErrors) -> Int {
        faults.number(form.trimmed(name), in: name, rule: "A whole number.") {
            $0.integer.flatMap { Int(exactly: $0) }
        } ?? 0
    }

    /// Returns the time that a `datetime-local` field means in a zone; `nil` when it is empty or invalid.
    ///
    /// A date without a time means the start of the day. A time that the clocks skip means a time as long after the
    /// change. Each number must have the digits of one script.
    package static func moment(_ text: String, in zone: CalendarZone) -> Timestamp? {
        let parts = text.split(omittingEmptySubsequences: false) { "-T: ".contains($0) }
        let numbers = parts.compactMap { part -> Int? in
            guard let digits = try? TypedNumber(String(part)).ascii,
                digits.utf8.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            return Int(digits)
        }
        guard numbers.count == parts.count, [3, 5, 6].contains(parts.count),
            (1970...9_999).contains(numbers[0]),
            let day = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        let time = Array((numbers.dropFirst(3) + [0, 0, 0]).prefix(3))
        guard time[0] < 24, time[1] < 60, time[2] < 60 else { return nil }
        return zone.moment(of: day, secondOfDay: time[0] * 3_600 + time[1] * 60 + time[2])
    }

    /// Returns a time as the value of a `datetime-local` field in a zone.
    package static func field(_ moment: Timestamp, in zone: CalendarZone) -> String {
        "\(zone.day(of: moment).iso)T\(zone.clock(moment))"
    }
}

extension FieldView {
    /// Returns a field for a date and time with the browser's date picker; its hint names the zone.
    package static func moment(
        _ name: String, _ label: String, _ value: String, in zone: CalendarZone, hint: String? = nil
    ) -> FieldView {
        FieldView.line(
            name, label, value,
            hint: [hint, "Time zone: \(zone.name)."].compactMap(\.self).joined(separator: " ")
        )
        .with { $0.inputType = "datetime-local" }
    }
}
