import Foundation
import InlayWire

/// Reads what people type into forms.
enum TypedText {
    /// Words between commas or lines, without the empty ones.
    static func words(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// A whole number; 0 and a fault for anything else.
    static func number(_ form: FormFields, _ name: String, _ faults: inout FieldErrors) -> Int {
        if let number = Int(form.trimmed(name)) { return number }
        faults.add(name, "A whole number.")
        return 0
    }

    /// The value of a `datetime-local` field, in UTC; `nil` when it is empty or no date.
    static func moment(_ text: String) -> Timestamp? {
        let seconds = text.count == 16 ? text + ":00" : text
        guard let date = try? Date(seconds + "Z", strategy: .iso8601) else { return nil }
        return Timestamp(seconds: date.timeIntervalSince1970)
    }

    /// A moment as a `datetime-local` field shows it.
    static func field(_ moment: Timestamp) -> String {
        String(Date(timeIntervalSince1970: moment.seconds).ISO8601Format().prefix(16))
    }
}
