import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

extension ElementForm {
    /// Returns the typed element; a value that cannot be read is reported and left out.
    func element(at path: String, _ faults: inout FieldErrors) -> CardElement {
        switch kind {
        case .category: return .category(line("text"))
        case .headline: return .headline(line("text"))
        case .text: return .text(self["text"])
        case .list:
            return .list(style: CardList.Style(rawValue: self["style"]) ?? .unordered, items: lines("items"))
        case .image: return .image(image(at: path, &faults))
        case .textInput: return .textInput(textInput(at: path, &faults))
        case .numberInput: return .numberInput(numberInput(at: path, &faults))
        case .submitButton: return .submitButton(submitButton(at: path, &faults))
        case .dismissButton: return .dismissButton(text: line("text"))
        case .snoozeButton:
            return .snoozeButton(
                CardSnoozeButton(text: line("text"), seconds: integer("seconds", path, &faults)))
        case .linkButton:
            let target = action(at: path, &faults) ?? .url(line("action.value"))
            return .linkButton(CardLinkButton(text: line("text"), action: target))
        case .form:
            return .form(children.enumerated().map { $1.element(at: "\(path).children[\($0)]", &faults) })
        case .unknown:
            faults.add(
                "\(path).type",
                "No element has the type “\(self["type"].prefix(64))”. Choose another, or remove the element."
            )
            return .text(kind.label)
        }
    }

    private func image(at path: String, _ faults: inout FieldErrors) -> CardImage {
        CardImage(
            url: line("url"), alternateText: line("alternateText"),
            height: CardImage.Height(rawValue: self["height"]) ?? .tall, action: action(at: path, &faults))
    }

    private func textInput(at path: String, _ faults: inout FieldErrors) -> CardTextInput {
        CardTextInput(
            name: line("name"), label: line("label"), placeholder: optional("placeholder"),
            defaultValue: optional("defaultValue"),
            lines: integer("lines", path, &faults).flatMap { Int(exactly: $0) },
            rules: rules(at: path, &faults))
    }

    private func numberInput(at path: String, _ faults: inout FieldErrors) -> CardNumberInput {
        CardNumberInput(
            name: line("name"), label: line("label"), placeholder: optional("placeholder"),
            defaultValue: number("defaultValue", path, &faults), rules: rules(at: path, &faults))
    }

    private func submitButton(at path: String, _ faults: inout FieldErrors) -> CardSubmitButton {
        CardSubmitButton(
            text: line("text"), buttonName: optional("buttonName"),
            values: submittedValues(at: path, &faults), action: action(at: path, &faults))
    }

    /// Returns the values of a submit button, typed as lines of `name = value`: numbers, `true`, `false`, or else
    /// texts.
    private func submittedValues(at path: String, _ faults: inout FieldErrors) -> [String: CardInputValue] {
        var values: [String: CardInputValue] = [:]
        for text in lines("values") {
            let parts = text.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, !parts[0].isEmpty else {
                faults.add("\(path).values", "Each line is a name, an equals sign and a value.")
                continue
            }
            do {
                values[parts[0]] = try Self.value(parts[1])
            } catch {
                faults.add(
                    "\(path).values", "\(parts[0].prefix(64)): put a number with so many digits in quotes.")
            }
        }
        return values
    }

    /// Returns a typed value. A text in quotes is never read as a number, `true` or `false`.
    private static func value(_ text: String) throws(TypedNumber.Fault) -> CardInputValue {
        if text == "true" || text == "false" { return .boolean(text == "true") }
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
            return .string(String(text.dropFirst().dropLast()))
        }
        guard let typed = try? TypedNumber(text, .exponent), let number = try typed.exactDouble() else {
            return .string(text)
        }
        return .number(number)
    }

    private func action(at path: String, _ faults: inout FieldErrors) -> CardLinkAction? {
        let target = line("action.value")
        switch self["action.kind"] {
        case "url": return .url(target)
        case "subview": return .subview(target)
        case "payload":
            if let payload = try? JSONDecoder().decode([String: JSONValue].self, from: Data(target.utf8)) {
                return .payload(payload)
            }
            faults.add("\(path).action.payload", "A JSON object, for example {\"screen\": \"tickets\"}.")
            return .payload([:])
        default: return nil
        }
    }

    private func rules(at path: String, _ faults: inout FieldErrors) -> CardInputRules {
        var rules = CardInputRules()
        if self["rules.required"] == "on" { rules.required = .init(true, message: message("required")) }
        if kind == .textInput {
            rules.minLength = integer("rules.minLength", path, &faults).map {
                .init(Int(clamping: $0), message: message("minLength"))
            }
            rules.maxLength = integer("rules.maxLength", path, &faults).map {
                .init(Int(clamping: $0), message: message("maxLength"))
            }
            rules.regex = optional("rules.regex").map { .init($0, message: message("regex")) }
        } else {
            rules.min = number("rules.min", path, &faults).map { .init($0, message: message("min")) }
            rules.max = number("rules.max", path, &faults).map { .init($0, message: message("max")) }
        }
        return rules
    }

    // MARK: Typed values

    private func line(_ name: String) -> String { self[name].trimmingCharacters(in: .whitespacesAndNewlines) }

    private func optional(_ name: String) -> String? { line(name).isEmpty ? nil : line(name) }

    private func message(_ rule: String) -> String? { optional("rules.\(rule).message") }

    private func lines(_ name: String) -> [String] {
        self[name].split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
    }

    private func integer(_ name: String, _ path: String, _ faults: inout FieldErrors) -> Int64? {
        guard let text = optional(name) else { return nil }
        return faults.number(text, in: "\(path).\(name)", rule: "A whole number.") { $0.integer }
    }

    private func number(_ name: String, _ path: String, _ faults: inout FieldErrors) -> Double? {
        guard let text = optional(name) else { return nil }
        return faults.number(
            text, in: "\(path).\(name)", [.decimalComma, .exponent], rule: "A number."
        ) { number throws(TypedNumber.Fault) in try number.exactDouble() }
    }
}
