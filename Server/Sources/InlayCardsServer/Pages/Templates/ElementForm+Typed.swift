import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

extension ElementForm {
    /// Creates the form of a saved element.
    init(_ element: CardElement) {
        switch element {
        case .category(let text): self.init(.category, ["text": text])
        case .headline(let text): self.init(.headline, ["text": text])
        case .text(let text): self.init(.text, ["text": text])
        case .dismissButton(let text): self.init(.dismissButton, ["text": text])
        case .list(let style, let items):
            self.init(.list, ["style": style.rawValue, "items": items.joined(separator: "\n")])
        case .image(let image):
            let own = [
                "url": image.url, "alternateText": image.alternateText, "height": image.height.rawValue,
            ]
            self.init(.image, own.merging(Self.typed(image.action)) { own, _ in own })
        case .textInput(let input): self.init(.textInput, Self.typed(input))
        case .numberInput(let input): self.init(.numberInput, Self.typed(input))
        case .submitButton(let button): self.init(.submitButton, Self.typed(button))
        case .snoozeButton(let button):
            self.init(.snoozeButton, ["text": button.text, "seconds": button.seconds.map(String.init) ?? ""])
        case .linkButton(let button):
            self.init(.linkButton, ["text": button.text].merging(Self.typed(button.action)) { own, _ in own })
        case .form(let children): self.init(.form, [:], children: children.map(ElementForm.init))
        }
    }

    private static func typed(_ input: CardTextInput) -> [String: String] {
        let own = [
            "name": input.name, "label": input.label, "placeholder": input.placeholder ?? "",
            "defaultValue": input.defaultValue ?? "", "lines": input.lines.map(String.init) ?? "",
        ]
        return own.merging(typed(input.rules)) { own, _ in own }
    }

    private static func typed(_ input: CardNumberInput) -> [String: String] {
        let own = [
            "name": input.name, "label": input.label, "placeholder": input.placeholder ?? "",
            "defaultValue": input.defaultValue.map(\.decimalText) ?? "",
        ]
        return own.merging(typed(input.rules)) { own, _ in own }
    }

    private static func typed(_ button: CardSubmitButton) -> [String: String] {
        let values = button.values.sorted { $0.key < $1.key }.map { name, value in
            switch value {
            case .string(let text): "\(name) = \(needsQuotes(text) ? "\"\(text)\"" : text)"
            case .number(let number): "\(name) = \(number.decimalText)"
            case .boolean(let isOn): "\(name) = \(isOn)"
            }
        }
        let own = [
            "text": button.text, "buttonName": button.buttonName ?? "",
            "values": values.joined(separator: "\n"),
        ]
        return own.merging(typed(button.action)) { own, _ in own }
    }

    private static func needsQuotes(_ text: String) -> Bool {
        writtenNumber(text) != nil || ["true", "false", ""].contains(text) || text.hasPrefix("\"")
    }

    private static func typed(_ rules: CardInputRules) -> [String: String] {
        var values: [String: String] = [:]
        func add<Value>(_ name: String, _ limit: CardInputRules.Limit<Value>?, _ text: (Value) -> String) {
            guard let limit else { return }
            values["rules.\(name)"] = text(limit.value)
            values["rules.\(name).message"] = limit.message ?? ""
        }
        add("required", rules.required) { $0 ? "on" : "" }
        add("minLength", rules.minLength) { String($0) }
        add("maxLength", rules.maxLength) { String($0) }
        add("min", rules.min, \.decimalText)
        add("max", rules.max, \.decimalText)
        add("regex", rules.regex) { $0 }
        return values
    }

    private static func typed(_ action: CardLinkAction?) -> [String: String] {
        switch action {
        case nil: ["action.kind": ""]
        case .url(let url): ["action.kind": "url", "action.value": url]
        case .subview(let id): ["action.kind": "subview", "action.value": id]
        case .payload(let payload):
            ["action.kind": "payload", "action.value": (try? JSONColumn.text(payload)) ?? "{}"]
        }
    }

    /// Returns the number that a text without quotes means among a button's values; `nil` when it is no number.
    static func writtenNumber(_ text: String) -> Double? { (try? TypedNumber(text, .exponent))?.double }
}
