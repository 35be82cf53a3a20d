@_spi(Inlay) import InlayWire

/// The kinds of element that an author can add, in the order of the menu, with their fields.
enum ElementKind: String, CaseIterable, Sendable {
    case category, headline, text, list, image, form, textInput, numberInput, submitButton, linkButton,
        snoozeButton, dismissButton
    /// A type that does not exist. The typed values are kept until the author chooses another type or removes the
    /// element.
    case unknown

    /// The label in the Workbench.
    var label: String {
        switch self {
        case .category: "Category"
        case .headline: "Headline"
        case .text: "Text"
        case .list: "List"
        case .image: "Image"
        case .form: "Form"
        case .textInput: "Text field"
        case .numberInput: "Number field"
        case .submitButton: "Submit button"
        case .linkButton: "Link button"
        case .snoozeButton: "Snooze button"
        case .dismissButton: "Dismiss button"
        case .unknown: "Unknown element"
        }
    }

    /// The kinds that an author can add.
    static let known = allCases.filter { $0 != .unknown }

    /// The kinds that can be inside a form; a form cannot hold another.
    static let insideForms = known.filter { $0 != .form }

    /// The values that a new element starts with, so that the preview shows something at once.
    var starting: [String: String] {
        switch self {
        case .category: ["text": "News"]
        case .headline: ["text": "New headline"]
        case .text: ["text": "Write here. **Bold**, _italic_ and [links](https://example.com) work."]
        case .list: ["style": "unordered", "items": "First\nSecond"]
        case .image: ["height": "tall"]
        case .form, .unknown: [:]
        case .textInput: ["name": "answer", "label": "Your answer"]
        case .numberInput: ["name": "number", "label": "How many"]
        case .submitButton: ["text": "Send", "buttonName": "send"]
        case .linkButton: ["text": "Read more", "action.kind": "url"]
        case .snoozeButton: ["text": "Remind me later"]
        case .dismissButton: ["text": "No, thanks"]
        }
    }
}
