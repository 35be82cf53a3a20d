@_spi(Inlay) import InlayWire

/// A starting point for a new template.
struct TemplateStarter: Sendable {
    let id: String
    let name: String
    let summary: String
    let definition: CardTemplateDefinition

    static let all = [notice, question, reminder, blank]

    private static let notice = TemplateStarter(
        id: "notice", name: "Notice", summary: "Category, headline, text and a button that leads somewhere.",
        definition: .init(elements: [
            .category("News"), .headline("Something changed"),
            .text("Say in two sentences what changed and **what to do** about it."),
            .linkButton(.init(text: "Read more", action: .url("https://example.com"))),
            .dismissButton(text: "Got it"),
        ]))

    private static let question = TemplateStarter(
        id: "question", name: "Question",
        summary: "A form with a text field, a number field and a submit button.",
        definition: .init(elements: [
            .category("Your opinion"), .headline("How was it?"),
            .text("One minute of your time helps us to get better."),
            .form([
                .numberInput(.init(name: "rating", label: "From 1 to 5", rules: rating)),
                .textInput(.init(name: "comment", label: "What should we change?", lines: 3)),
                .submitButton(.init(text: "Send", buttonName: "send")),
            ]),
        ]))

    private static let reminder = TemplateStarter(
        id: "reminder", name: "Reminder",
        summary: "Greets the user by name; can be snoozed or dismissed; ends after a week.",
        definition: .init(
            elements: [
                .category("Reminder"), .headline("{{name}}, don’t forget"),
                .text("Something waits for you until **Friday**."),
                .snoozeButton(.init(text: "Remind me later")), .dismissButton(text: "Done"),
            ], variables: [.init(name: "name", defaultValue: .string("Hello"), isRuntime: true)],
            expirySeconds: 7 * 86_400))

    private static let blank = TemplateStarter(
        id: "blank", name: "Blank", summary: "A headline only.",
        definition: .init(elements: [.headline("Headline")]))

    private static var rating: CardInputRules {
        var rules = CardInputRules()
        rules.required = .init(true, message: "Please choose a number.")
        rules.min = .init(1)
        rules.max = .init(5)
        return rules
    }
}
