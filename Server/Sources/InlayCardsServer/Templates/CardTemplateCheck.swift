import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The check of a template before it is saved.
///
/// One pass finds all faults, so that an author corrects the form once.
struct CardTemplateCheck {
    private var errors = FieldErrors()
    private var inputNames: Set<String> = []
    private let subviewIDs: Set<String>
    private let draft: CardTemplateDraft

    /// The maximum number of refused links that are reported for a text.
    private static let maximumTargets = 10

    /// Throws every fault of the draft at once.
    static func validate(_ draft: CardTemplateDraft) throws {
        var check = CardTemplateCheck(draft)
        try check.run()
    }

    private init(_ draft: CardTemplateDraft) {
        self.draft = draft
        subviewIDs = Set(draft.definition.subviews.map(\.id))
    }

    private mutating func run() throws {
        checkSettings()
        checkVariables()
        let definition = draft.definition
        checkLevel(definition.elements, at: "elements")
        if definition.elements.isEmpty { errors.add("elements", "A card needs at least one element.") }
        for (index, subview) in definition.subviews.enumerated() {
            checkSubview(subview, at: "subviews[\(index)]")
        }
        checkCount(definition.subviews.count, CardLimits.subviews, "subviews", of: "subviews")
        if subviewIDs.count != definition.subviews.count {
            errors.add("subviews", "Two subviews have the same id.")
        }
        try errors.throwIfAny()
        guard try JSONEncoder().encode(definition).count <= CardLimits.definitionBytes else {
            throw FieldErrors("definition", "At most \(CardLimits.definitionBytes >> 10) KiB in all.")
        }
    }

    private mutating func checkSettings() {
        errors.checkLine(draft.name, at: "name", limit: CardLimits.nameLength)
        checkEventName(draft.eventName)
        if !(1...10).contains(draft.priority) { errors.add("priority", "From 1 (first) to 10 (last).") }
        checkCount(draft.containerIDs.count, CardLimits.containers, "containerIDs", of: "containers")
        if Set(draft.containerIDs).count != draft.containerIDs.count {
            errors.add("containerIDs", "A container is named twice.")
        }
        let furthest = CardLimits.daysAhead * 86_400
        for (field, seconds) in [
            ("embargoSeconds", draft.definition.embargoSeconds),
            ("expirySeconds", draft.definition.expirySeconds),
        ] {
            if let seconds, !(1...furthest).contains(seconds) {
                errors.add(field, "From 1 second to \(CardLimits.daysAhead) days.")
            }
        }
        if let embargo = draft.definition.embargoSeconds, let expiry = draft.definition.expirySeconds,
            expiry <= embargo
        {
            errors.add("expirySeconds", "The card would end before its embargo does.")
        }
    }

    /// Checks the name by the rule for names of events, so that an event can have it.
    private mutating func checkEventName(_ name: String) {
        if name.allSatisfy(\.isWhitespace) {
            errors.add("eventName", "This must not be empty.")
        } else if !IDRule.admits(name) {
            errors.add(
                "eventName",
                """
                At most \(IDRule.maximumCharacters) characters in \(IDRule.maximumBytes) bytes, on one line, without \
                control characters.
                """)
        }
    }

    private mutating func checkVariables() {
        let variables = draft.definition.variables
        checkCount(variables.count, CardLimits.variables, "variables", of: "variables")
        var names: Set<String> = []
        for (index, variable) in variables.enumerated() {
            let field = "variables[\(index)]"
            if !CardLink.isIdentifier(variable.name) {
                errors.add("\(field).name", "Letters, digits, \"_\", \"-\" and \".\", at most 64.")
            }
            if !names.insert(variable.name).inserted {
                errors.add("\(field).name", "There is another variable of this name.")
            }
            if variable.defaultValue.kind != variable.kind {
                errors.add("\(field).defaultValue", "The default is not a \(variable.kind.rawValue).")
            }
            if case .string(let text) = variable.defaultValue,
                text.unicodeScalars.count > CardLimits.variableLength
            {
                errors.add("\(field).defaultValue", "At most \(CardLimits.variableLength) characters.")
            }
            if variable.isRuntime, variable.kind != .string {
                errors.add("\(field).kind", "A variable that the app resolves is a string.")
            }
        }
    }

    private mutating func checkSubview(_ subview: CardTemplateDefinition.Subview, at field: String) {
        if !CardLink.isIdentifier(subview.id) {
            errors.add("\(field).id", "Letters, digits, \"_\", \"-\" and \".\", at most 64.")
        }
        errors.checkLine(subview.title, at: "\(field).title", limit: CardLimits.lineLength)
        checkLevel(subview.elements, at: "\(field).elements")
    }

    private mutating func checkLevel(_ elements: [CardElement], at field: String) {
        inputNames = []
        let count = elements.reduce(0) { sum, element in
            if case .form(let children) = element { sum + 1 + children.count } else { sum + 1 }
        }
        checkCount(count, CardLimits.elements, field, of: "elements, those inside forms included")
        check(elements, at: field, isInForm: false)
    }

    private mutating func check(_ elements: [CardElement], at field: String, isInForm: Bool) {
        for (index, element) in elements.enumerated() {
            check(element, at: "\(field)[\(index)]", isInForm: isInForm)
        }
    }

    private mutating func check(_ element: CardElement, at field: String, isInForm: Bool) {
        switch element {
        case .category(let text), .headline(let text), .dismissButton(let text):
            errors.checkLine(text, at: "\(field).text", limit: CardLimits.lineLength)
        case .text(let source): checkMarkdown(source, at: "\(field).text")
        case .list(_, let items): checkList(items, at: "\(field).items")
        case .image(let image): checkImage(image, at: field)
        case .textInput(let input):
            checkInput(input.name, input.label, input.placeholder, at: field)
            CardInputCheck.check(input, at: field, into: &errors)
        case .numberInput(let input):
            checkInput(input.name, input.label, input.placeholder, at: field)
            CardInputCheck.check(input, at: field, into: &errors)
        case .submitButton(let button): checkSubmit(button, at: field)
        case .snoozeButton(let button):
            errors.checkLine(button.text, at: "\(field).text", limit: CardLimits.lineLength)
            if let seconds = button.seconds, !(1...CardLimits.daysAhead * 86_400).contains(seconds) {
                errors.add("\(field).seconds", "From 1 second to \(CardLimits.daysAhead) days.")
            }
        case .linkButton(let button):
            errors.checkLine(button.text, at: "\(field).text", limit: CardLimits.lineLength)
            checkAction(button.action, at: "\(field).action")
        case .form(let children):
            if isInForm { errors.add(field, "A form cannot hold another form.") }
            if children.isEmpty { errors.add(field, "The form is empty.") }
            // The check does not descend further: nested forms are refused, so their depth does not matter.
            if !isInForm { check(children, at: "\(field).children", isInForm: true) }
        }
    }

    private mutating func checkList(_ items: [String], at field: String) {
        if items.isEmpty { errors.add(field, "A list needs at least one item.") }
        checkCount(items.count, CardLimits.listItems, field, of: "items")
        for (index, item) in items.enumerated() { checkMarkdown(item, at: "\(field)[\(index)]") }
    }

    private mutating func checkImage(_ image: CardImage, at field: String) {
        if !CardLink.isWeb(image.url) && !isWholeVariable(image.url) {
            errors.add("\(field).url", "An address that starts with https:// or http://.")
        }
        if image.alternateText.unicodeScalars.count > CardLimits.lineLength {
            errors.add("\(field).alternateText", "At most \(CardLimits.lineLength) characters.")
        }
        if let action = image.action { checkAction(action, at: "\(field).action") }
    }

    private mutating func checkInput(
        _ name: String, _ label: String, _ placeholder: String?, at field: String
    ) {
        if !CardLink.isIdentifier(name) {
            errors.add("\(field).name", "Letters, digits, \"_\", \"-\" and \".\", at most 64.")
        } else if !inputNames.insert(name).inserted {
            errors.add("\(field).name", "There is another input of this name.")
        }
        errors.checkLine(label, at: "\(field).label", limit: CardLimits.lineLength)
        if let placeholder, placeholder.unicodeScalars.count > CardLimits.lineLength {
            errors.add("\(field).placeholder", "At most \(CardLimits.lineLength) characters.")
        }
    }

    private mutating func checkSubmit(_ button: CardSubmitButton, at field: String) {
        errors.checkLine(button.text, at: "\(field).text", limit: CardLimits.lineLength)
        if let name = button.buttonName {
            errors.checkLine(name, at: "\(field).buttonName", limit: CardLimits.nameLength)
        }
        if let fault = CardInputCheck.fault(in: button.values) { errors.add("\(field).values", fault) }
        if let action = button.action { checkAction(action, at: "\(field).action") }
    }

    private mutating func checkAction(_ action: CardLinkAction, at field: String) {
        switch action {
        case .url(let url):
            if !CardLink.isSafeForButton(url) && !isWholeVariable(url) {
                errors.add("\(field).url", "A web address, mailto, tel or a scheme that your app handles.")
            }
        case .subview(let id):
            if !subviewIDs.contains(id) {
                errors.add(
                    "\(field).subview", "There is no subview with the id \"\(id.prefix(scalars: 64))\".")
            }
        case .payload(let payload):
            if !CardInputCheck.isSmall(payload) {
                errors.add("\(field).payload", "At most \(CardLimits.propertyBytes >> 10) KiB.")
            }
        }
    }

    private mutating func checkMarkdown(_ source: String, at field: String) {
        guard let tree = Markdown.parse(source) else {
            return errors.add(field, "At most \(Markdown.maximumSourceBytes) bytes.")
        }
        if tree.blocks.isEmpty { errors.add(field, "The text is empty.") }
        for target in Markdown.refusedTargets(in: source).prefix(Self.maximumTargets) {
            errors.add(
                field,
                "The link to \"\(target.prefix(scalars: 64))\" leads nowhere: http, https, mailto, tel or subview:<id>."
            )
        }
        for id in tree.linkedSubviews where !subviewIDs.contains(id) {
            errors.add(field, "There is no subview with the id \"\(id)\".")
        }
    }

    private mutating func checkCount(_ count: Int, _ limit: Int, _ field: String, of noun: String) {
        if count > limit { errors.add(field, "At most \(limit) \(noun); these are \(count).") }
    }

    /// Whether an address is one variable and nothing else. The value is checked when it is inserted.
    private func isWholeVariable(_ text: String) -> Bool {
        guard text.hasPrefix("{{"), text.hasSuffix("}}"), text.count > 4 else { return false }
        let name = text.dropFirst(2).dropLast(2)
        return draft.definition.variables.contains { $0.name == name }
    }
}
