import InlayWire

/// A card of a user, and why it is or is not shown, in words.
struct InspectionRow {
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

    init(_ card: CardInspection, for request: WorkbenchRequest) {
        cardID = card.id
        cardName = card.templateName
        templatePath = request.address("cards", "templates", card.templateID)
        isShown = card.isShown
        container = card.containerID
        priority = card.priority
        seen = card.isSeen ? "Seen" : "Not seen yet"
        version = "version \(card.layoutVersion)"
        lifecycleID = card.lifecycleID
        values = card.variables.sorted { $0.key < $1.key }
            .map { "\($0.key): \(VariableText.typed($0.value, in: request.zone))" }.joined(separator: " · ")
        hasValues = !values.isEmpty
        made = request.moment(card.createdAt)
        let words = Self.words(card.reason)
        (verdict, style, reason) = (words.verdict, words.style, words.reason)
        reasonTime = words.time.map { request.moment($0) }
    }

    private static func words(
        _ reason: CardInspection.Reason
    ) -> (verdict: String, style: String, reason: String, time: Timestamp?) {
        switch reason {
        case .shown: ("Shown", "good", "It is in the feed now.", nil)
        case .embargoed(let until): ("Embargoed", "warn", "It is hidden until its embargo ends.", until)
        case .snoozed(let until): ("Snoozed", "warn", "The user put it off; it comes back.", until)
        case .expired(let at): ("Expired", "", "Its time is over.", at)
        case .completed(_, let at): ("Completed", "accent", "The user submitted it.", at)
        case .dismissed(_, let at): ("Dismissed", "", "The user dismissed it.", at)
        case .cancelled(let at): ("Cancelled", "", "It was taken back.", at)
        case .containerArchived: ("Hidden", "danger", "Its container is archived.", nil)
        }
    }
}
