import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The list and form of one kind of record: the columns of its list, the fields of its form.
///
/// A form is made from values by name, whether they come from a record or from what an operator typed, so a form
/// with faults shows exactly what was typed.
protocol AdRecordForm: Sendable {
    associatedtype Record: AdRecord
    /// The folder of the pages, for example `units`.
    static var folder: String { get }
    /// The headings of the list's columns beside the name.
    static var columns: [String] { get }
    /// Returns the cells of a record, one for each column.
    static func cells(_ record: Record) -> [String]
    /// The values that a new form shows.
    static var blank: FormFields { get }
    /// Returns the values that the form of a record shows.
    static func values(_ record: Record) -> FormFields
    /// Returns the fields, filled with values.
    static func fields(_ values: FormFields, _ choices: AdFormChoices) -> [FieldView]
    /// Returns the record that was typed, and adds a fault for each value that cannot be read.
    static func record(
        _ typed: AdFormReader, id: Record.ID?, parentID: Record.ParentID, faults: inout FieldErrors
    ) -> Record
}

extension AdRecordForm {
    static var blank: FormFields { FormFields() }
    static var noun: String { Record.table.noun }
}

/// The choices of a form, by id and name.
struct AdFormChoices: Sendable {
    var segments: [(String, String)] = []
    var units: [(String, String)] = []
    var bidders: [(String, String)] = []
    /// The environment's time zone.
    var zone = CalendarZone.utc

    /// Returns the choices of a segment. A chosen segment that was deleted is among them, marked as gone: its campaign
    /// is served to no user.
    func segments(with chosen: String) -> [(String, String)] {
        let isGone = !chosen.isEmpty && !segments.contains { $0.0 == chosen }
        return [("", "everybody")] + segments
            + (isGone ? [(chosen, "nobody: the segment \(chosen) is gone")] : [])
    }

    /// Returns the field for the units to which a record applies.
    func unitField(_ values: FormFields) -> FieldView {
        .many(
            "unitIDs", "Only at these units", ticked("unitIDs", values), of: units, hint: "None: everywhere.")
    }

    /// Returns a field for a date and time; `values` has it in RFC 3339 from a record, or as it was typed.
    func momentField(_ name: String, _ label: String, _ values: FormFields) -> FieldView {
        let text = values[name] ?? ""
        let kept = text.hasSuffix("Z") ? Timestamp(rfc3339: text) : nil
        return .moment(
            name, label, kept.map { TypedText.field($0, in: zone) } ?? text, in: zone,
            hint: "Empty: without limit.")
    }

    /// Returns the field for the bidders to which a record applies.
    func bidderField(_ values: FormFields) -> FieldView {
        .many(
            "bidderIDs", "Only these bidders", ticked("bidderIDs", values), of: bidders,
            hint: "None: every bidder.")
    }

    private func ticked(_ name: String, _ values: FormFields) -> [String] {
        values.all(name).flatMap(TypedText.words)
    }
}

/// A reader of a form's typed values. It adds a fault for each value that cannot be read.
struct AdFormReader {
    let form: FormFields
    /// The zone in which moments were typed.
    let zone: CalendarZone

    func text(_ name: String) -> String { form.trimmed(name) }

    func isOn(_ name: String) -> Bool { form.isOn(name) }

    /// Returns the entries of a field: separated by commas or line breaks, or boxes that were ticked.
    func list(_ name: String) -> [String] { form.all(name).flatMap(TypedText.words) }

    /// The units that were ticked.
    var unitIDs: [AdUnitID] { list("unitIDs").map { AdUnitID($0) } }

    func whole(_ name: String, _ faults: inout FieldErrors) -> Int64? {
        let text = text(name)
        guard !text.isEmpty else { return nil }
        return faults.number(text, in: name, rule: "A whole number.") { $0.integer }
    }

    func number(_ name: String, _ faults: inout FieldErrors) -> Int { Int(whole(name, &faults) ?? 0) }

    /// Returns an amount such as 2.50, in micros.
    ///
    /// The maximum is checked here and not only when the record is saved, so that the message is in dollars too.
    func micros(
        _ name: String, maximum: Int64 = AdMoney.maximumMicros, _ faults: inout FieldErrors
    ) -> Int64? {
        let text = text(name)
        guard !text.isEmpty else { return nil }
        let rule = "An amount such as 2.50, with at most six digits behind the point."
        guard let micros = faults.number(text, in: name, rule: rule, as: AdAmount.micros) else { return nil }
        guard micros <= maximum else {
            faults.add(name, "At most \(Count.grouped(Int(maximum / 1_000_000))).")
            return nil
        }
        return micros
    }

    /// Returns seconds such as 5 or 0.5, in milliseconds; at most a minute.
    func milliseconds(_ name: String, _ faults: inout FieldErrors) -> Int {
        let text = text(name)
        guard !text.isEmpty else { return 0 }
        let rule = "From 0 to \(AdSeconds.maximum / 1_000) seconds, such as 5 or 0.5."
        return faults.number(text, in: name, rule: rule) { number in
            AdSeconds.milliseconds(number).flatMap { $0 <= AdSeconds.maximum ? $0 : nil }
        } ?? 0
    }

    /// Returns a moment such as 2026-11-21T14:00, in the zone of the form.
    func moment(_ name: String, _ faults: inout FieldErrors) -> Timestamp? {
        let text = text(name)
        guard !text.isEmpty else { return nil }
        guard let moment = TypedText.moment(text, in: zone) else {
            faults.add(name, "A day and a time.")
            return nil
        }
        return moment
    }

    func choice<Value: RawRepresentable<String>>(_ name: String, or other: Value) -> Value {
        Value(rawValue: text(name)) ?? other
    }
}

/// The conversion between milliseconds and the seconds that operators type.
enum AdSeconds {
    /// A minute, in milliseconds.
    static let maximum = 60_000

    /// Returns the milliseconds of a decimal number of seconds; `nil` unless they are exact.
    static func milliseconds(_ number: TypedNumber) -> Int? {
        guard let micros = AdAmount.micros(number), micros % 1_000 == 0 else { return nil }
        return Int(micros / 1_000)
    }

    /// Returns the seconds of a number of milliseconds, for example `0.5`.
    static func text(milliseconds: Int) -> String { Micros.text(Int64(milliseconds) * 1_000) }
}

/// The conversion between micros or nanos and the amounts that operators type and read.
enum AdAmount {
    /// Returns the micros of a decimal; `nil` unless they are exact.
    static func micros(_ number: TypedNumber) -> Int64? {
        let text = number.ascii
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= 20, let whole = parts.first, !whole.isEmpty,
            parts.joined().utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.utf8.count <= 6, let units = Int64(whole),
            let rest = Int64(fraction + String(repeating: "0", count: 6 - fraction.count))
        else { return nil }
        let (scaled, overflow) = units.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : scaled.addingReportingOverflow(rest).partialValue
    }

    /// Returns the earnings of impressions, to the hundredth of a cent; small sums are never shown as nothing.
    static func words(nanos: Int64) -> String {
        let micros = nanos / 1_000
        let (whole, rest) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(rest / 100)
        let fraction = String(repeating: "0", count: 4 - digits.count) + digits
        return "$\(Count.grouped(Int(whole))).\(fraction)"
    }

    /// Returns a price for a thousand impressions.
    static func words(micros: Int64) -> String { "$\(Micros.text(micros))" }
}
