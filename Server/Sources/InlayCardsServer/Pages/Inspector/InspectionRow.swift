import InlayServerCore
@_spi(Inlay) import InlayWire
package import InlayWorkbench

/// A row of the feed inspector: a user's card, and the reason why it is or is not shown.
package struct InspectionRow {
    let cardID: String
    let cardName: String
    let templatePath: String
    let isShown: Bool
    let verdict: String
    let style: String
    let reason: String
    let reasonTime: Moment?
    let container: String
    let priority: Int
    let seen: String
    let version: String
    let lifecycleID: String
    let values: String
    let hasValues: Bool
    let made: Moment

    package init(_ card: CardInspection, for request: WorkbenchRequest) {
        cardID = card.id.rawValue
        cardName = card.templateName
        templatePath = request.address("cards", "templates", card.templateID.rawValue)
        isShown = card.isShown
        container = card.containerID.rawValue
        priority = card.priority
        seen = card.isSeen ? "Seen" : "Not seen yet"
        version = "version \(card.layoutVersion)"
        lifecycleID = card.lifecycleID.rawValue
        values = card.variables.sorted { $0.key < $1.key }
            .map { "\($0.key): \(VariableText.typed($0.value, in: request.zone))" }.joined(separator: " · ")
        hasValues = !values.isEmpty
        made = request.moment(card.createdAt)
        let texts = Self.texts(card.reason)
        (verdict, style, reason) = (texts.verdict, texts.style, texts.reason)
        reasonTime = texts.time.map { request.moment($0) }
    }

    private static func texts(
        _ reason: CardInspection.Reason
    ) -> (verdict: String, style: String, reason: String, time: Timestamp?) {
        switch reason {
        case .shown: ("Shown", "good", "It is in the feed.", nil)
        case .embargoed(let until): ("Embargoed", "warn", "It is hidden until its embargo ends.", until)
        case .snoozed(let until): ("Snoozed", "warn", "The user snoozed it; it will be shown again.", until)
        case .expired(let at): ("Expired", "", "It has expired.", at)
        case .completed(_, let at): ("Completed", "accent", "The user submitted it.", at)
        case .dismissed(_, let at): ("Dismissed", "", "The user dismissed it.", at)
        case .cancelled(let at): ("Cancelled", "", "It was cancelled.", at)
        case .containerArchived: ("Hidden", "danger", "Its container is archived.", nil)
        }
    }
}
