import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A writer of the analytics events of one batch, within the transaction of the batch.
struct AnalyticsIntake {
    /// The documented name of the event for a displayed card.
    static let cardDisplayed = "card-displayed"
    /// The documented names of votes.
    static let cardVotedUp = "card-voted-up"
    static let cardVotedDown = "card-voted-down"

    let environmentID: EnvironmentID
    let userID: UserID
    let now: Timestamp
    let connection: any SQLConnection

    /// Stores an event, unless one with its id is stored already, and returns its receipt.
    func receipt(for event: AnalyticsEvent) throws -> ItemReceipt {
        if let fault = fault(in: event) { return ItemReceipt(id: event.id, refusal: fault) }
        if try insert(event), let cardID = event.cardID.map({ CardID($0) }) {
            switch event.name {
            case Self.cardDisplayed: try displayed(cardID)
            case Self.cardVotedUp: try voted(.votedUp, cardID)
            case Self.cardVotedDown: try voted(Self.reason(event.properties["reason"]?.string), cardID)
            default: break
            }
        }
        return ItemReceipt(id: event.id)
    }

    /// Returns the counter for a reason; an unknown reason counts as "something else".
    private static func reason(_ name: String?) -> CardCounters.Kind {
        switch name {
        case "not-relevant": .votedNotRelevant
        case "too-often": .votedTooOften
        default: .votedSomethingElse
        }
    }

    private func voted(_ kind: CardCounters.Kind, _ cardID: CardID) throws {
        let row = try connection.row(
            "SELECT template_id FROM card_instances WHERE environment_id = ? AND user_id = ? AND card_id = ?",
            [.id(environmentID), .id(userID), .id(cardID)])
        guard let templateID: CardTemplateID = try row?.id("template_id") else { return }
        try CardCounters.add(kind, environmentID, templateID: templateID, at: now, in: connection)
    }

    private func insert(_ event: AnalyticsEvent) throws -> Bool {
        try connection.insert(
            into: "analytics_events",
            [
                "environment_id": .id(environmentID), "event_id": .text(event.id), "user_id": .id(userID),
                "name": .text(event.name), "happened_at": .moment(event.time), "received_at": .moment(now),
                "container_id": SQLValue(event.containerID), "card_id": SQLValue(event.cardID),
                "client_version": .text(event.clientVersion.prefix(scalars: 128)),
                "properties": .text(try JSONColumn.text(event.properties)),
            ], onConflict: .ignore(key: ["environment_id", "event_id"])) == 1
    }

    // `is_seen` does not change the feed's version: the user's device knows it already, and nothing on screen changes.
    private func displayed(_ cardID: CardID) throws {
        let card = "WHERE environment_id = ? AND user_id = ? AND card_id = ?"
        let key: [SQLValue] = [.id(environmentID), .id(userID), .id(cardID)]
        guard let row = try connection.row("SELECT template_id, is_seen FROM card_instances \(card)", key)
        else {
            return
        }
        let templateID: CardTemplateID = try row.id("template_id")
        // Only the first time, so that a card that is displayed again is neither written nor locked.
        if try row.int("is_seen") == 0 {
            try connection.execute("UPDATE card_instances SET is_seen = 1 \(card)", key)
        }
        try CardCounters.add(.displayed, environmentID, templateID: templateID, at: now, in: connection)
    }

    private func fault(in event: AnalyticsEvent) -> Problem? {
        let ids = [("id", event.id), ("name", event.name)]
        let optional = [("containerID", event.containerID), ("cardID", event.cardID)]
        for case (let field, let text?) in ids.map({ ($0.0, Optional($0.1)) }) + optional
        where !CardEventCheck.isID(text) {
            return .invalidValue(field, "1 to 128 characters, without control characters.")
        }
        if event.clientVersion.utf8.contains(0) {
            return .invalidValue("clientVersion", "No control characters.")
        }
        guard CardInputCheck.isSmall(event.properties) else {
            return .invalidValue(
                "properties",
                "At most \(CardLimits.properties), and \(CardLimits.propertyBytes >> 10) KiB in all.")
        }
        return nil
    }
}

extension AnalyticsEvent {
    init(_ row: SQLRow) throws {
        self.init(
            id: try row.text("event_id"), name: try row.text("name"), time: try row.moment("happened_at"),
            containerID: try row.optionalText("container_id"), cardID: try row.optionalText("card_id"),
            clientVersion: try row.text("client_version"),
            properties: try JSONColumn.value(try row.text("properties")))
    }
}
