@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The head of each page of one template: its name, state, actions and tabs.
struct TemplateHead {
    struct Tab {
        let label: String
        let path: String
        let isCurrent: Bool
    }

    let csrf: String
    let listPath: String
    let templateName: String
    let eventName: String
    let stateText: String
    let stateStyle: String
    let stateNote: String?
    let canEdit: Bool
    let isPublished: Bool
    let offersSending: Bool
    let isEnabled: Bool
    let switchOffPath: String
    let switchOnPath: String
    let sendPath: String
    let tabs: [Tab]

    init(_ template: CardTemplate, tab: String, for request: WorkbenchRequest) {
        let path = { (part: String) in request.address("cards", "templates", template.id.rawValue) + part }
        let state = TemplateState(template)
        csrf = request.csrfToken
        listPath = request.address("cards", "templates")
        templateName = template.draft.name
        eventName = template.draft.eventName
        (stateText, stateStyle, stateNote) = (state.text, state.style, state.note)
        canEdit = request.may(.editor)
        isPublished = template.isPublished
        offersSending = template.isPublished && tab != "/send"
        isEnabled = template.isEnabled
        switchOffPath = path("/switch-off")
        switchOnPath = path("/switch-on")
        sendPath = path("/send")
        var tabs = [("Edit", ""), ("Versions", "/versions"), ("Analytics", "/analytics")]
        if request.may(.editor), template.isPublished { tabs.insert(("Send", "/send"), at: 1) }
        self.tabs = tabs.map { Tab(label: $0.0, path: path($0.1), isCurrent: $0.1 == tab) }
    }
}

/// A template's state as texts.
struct TemplateState {
    let text: String
    let style: String
    let note: String?
    /// The value of the list's filter.
    let key: String

    init(_ template: CardTemplate) {
        switch (template.isPublished, template.isEnabled) {
        case (false, _): (text, style, note, key) = ("Draft", "", "Not published yet", "draft")
        case (true, false):
            (text, style, note, key) = ("Off", "warn", "Events create no cards from it", "off")
        case (true, true):
            (text, style, key) = ("Published", "good", "published")
            note =
                template.hasUnpublishedChanges
                ? "Unpublished changes" : "Version \(template.publishedVersion)"
        }
    }
}
