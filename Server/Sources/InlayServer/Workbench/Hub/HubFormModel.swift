import Foundation
import InlayWire

/// A form below the head of its content source.
struct HubFormModel {
    let head: HubHead
    let form: FormModel

    init(
        _ source: HubSource, tab: String, fields: [FieldView], faults: FieldErrors, button: String,
        for request: WorkbenchRequest
    ) {
        head = HubHead(source, tab: tab, for: request)
        form = FormModel(
            source.name, in: ("Hub", head.listPath), at: request.address("hub", source.id, tab),
            fields: fields, faults: faults, button: button, for: request)
    }
}

/// Reads what people type into the Hub's forms.
enum HubText {
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
