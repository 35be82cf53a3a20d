import Foundation
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// A length of time as a number and a unit, as typed.
package struct SpanField: Equatable, Sendable {
    var amount = ""
    var unit = "86400"

    static let units = [("60", "minutes"), ("3600", "hours"), ("86400", "days")]

    package init() {}

    package init(_ name: String, _ fields: FormFields) {
        amount = fields["\(name)Seconds"] ?? ""
        unit = fields["\(name)Unit"] ?? "86400"
    }

    /// Creates the field in the largest unit that is exact; otherwise in seconds.
    package init(seconds: Int64?) {
        guard let seconds else { return }
        let exact = Self.units.last { seconds % (Int64($0.0) ?? 1) == 0 }
        let unit = exact?.0 ?? "1"
        self.unit = unit
        amount = String(seconds / (Int64(unit) ?? 1))
    }

    /// Returns the length in seconds; `nil` when the field is empty or, with a fault, when it cannot be read.
    package func seconds(_ field: String, _ faults: inout FieldErrors) -> Int64? {
        let amount = amount.trimmed
        guard !amount.isEmpty else { return nil }
        return faults.number(amount, in: field, rule: "A whole number of 1 or more, or empty.") {
            guard let number = $0.integer, let factor = Int64(unit), number > 0,
                (1...86_400).contains(factor)
            else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: factor)
            return overflow ? Int64.max : product
        }
    }

    /// The length as text, for example `24 hours`.
    package var text: String {
        let name = (Self.units + [("1", "seconds")]).first { $0.0 == unit }?.1 ?? ""
        return "\(amount) \(amount == "1" ? String(name.dropLast()) : name)"
    }

    /// Returns the field of the form, with the choice of the unit inside.
    package func field(_ name: String, _ label: String, hint: String) -> FieldView {
        let units = unit == "1" ? [("1", "seconds")] + Self.units : Self.units
        return FieldView.line("\(name)Seconds", label, amount, hint: hint).with {
            $0.mode = "numeric"
            $0.units = .init(
                name: "\(name)Unit", label: "\(label): unit", choices: ChoiceView.list(units, chosen: unit))
        }
    }
}
