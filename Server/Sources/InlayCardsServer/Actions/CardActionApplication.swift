import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The actions of one batch, inside its transaction.
struct CardActionApplication {
    let environmentID: EnvironmentID
    let userID: UserID
    let clientVersion: String
    let now: Timestamp
    let connection: any SQLConnection
    private let check: CardSubmissionCheck
    private let verdicts: [String: CardSubmissionCheck.Verdict]
    /// The feeds whose visible cards changed (always `true`); each gets one new version at the end of the batch.
    private var feeds: [FeedVersions.Feed: Bool] = [:]
    private var settled: [LiveChange] = []

    /// The state of a card before an action.
    private struct Card {
        let containerID: CardContainerID
        let layout: CardSubmissionCheck.Layout
        let status: CardStatus
        let expiresAt: Timestamp?
        let dueAt: Timestamp?
    }

    init(
        userID: UserID, clientVersion: String, now: Timestamp, check: CardSubmissionCheck,
        verdicts: [String: CardSubmissionCheck.Verdict], connection: any SQLConnection
    ) {
        environmentID = check.environmentID
        (self.check, self.verdicts) = (check, verdicts)
        self.userID = userID
        self.clientVersion = clientVersion
        self.now = now
        self.connection = connection
    }

    /// Applies an action, unless a copy of it was applied before, and returns its receipt.
    mutating func receipt(for action: CardAction) throws -> ItemReceipt {
        guard CardEventCheck.isID(action.id), CardEventCheck.isID(action.cardID) else {
            return ItemReceipt(id: action.id, refusal: .invalidValue("id", "1 to 128 characters."))
        }
        guard try isNew(action) else { return try earlierReceipt(action.id) }
        let refusal = try apply(action)
        if let refusal {
            try connection.execute(
                "UPDATE card_actions SET refusal = ? WHERE environment_id = ? AND user_id = ? AND action_id = ?",
                [.text(try JSONColumn.text(refusal)), .id(environmentID), .id(userID), .text(action.id)])
        }
        return ItemReceipt(id: action.id, refusal: refusal)
    }

    /// Gives the changed feeds their new versions; returns all changes of the batch.
    mutating func renewFeeds() throws -> [LiveChange] {
        defer { (feeds, settled) = ([:], []) }
        return try settled + FeedVersions.update(feeds, in: connection)
    }

    private func isNew(_ action: CardAction) throws -> Bool {
        // `apply` refuses a body over the limits; it is not stored.
        let body = fault(in: action) == nil ? try JSONColumn.text(action) : "{}"
        return try connection.execute(
            """
            INSERT INTO card_actions (environment_id, user_id, action_id, card_id, body, client_version,
                acted_at, received_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (environment_id, user_id, action_id) DO NOTHING
            """,
            [
                .id(environmentID), .id(userID), .text(action.id), .text(action.cardID), .text(body),
                .text(clientVersion), .moment(action.time), .moment(now),
            ]) == 1
    }

    private func earlierReceipt(_ id: String) throws -> ItemReceipt {
        let row = try connection.row(
            "SELECT refusal FROM card_actions WHERE environment_id = ? AND user_id = ? AND action_id = ?",
            [.id(environmentID), .id(userID), .text(id)])
        return ItemReceipt(id: id, refusal: try row?.optionalText("refusal").map { try JSONColumn.value($0) })
    }

    private mutating func apply(_ action: CardAction) throws -> Problem? {
        if let fault = fault(in: action) { return fault }
        guard var card = try card(CardID(action.cardID)), card.containerID.rawValue == action.containerID
        else {
            return .notFound("card")
        }
        if let due = card.dueAt, due <= now {
            settled += try CardSettling.settle(feed(card), at: now, in: connection)
            card = try self.card(CardID(action.cardID)) ?? card
        }
        guard card.status.allows(action.kind.status) else { return Self.conflict(card.status) }
        if let refusal = try refusal(of: action, card) { return refusal }
        if case .snooze(let until) = action.kind, until <= now {
            // The snooze ended before the action arrived, for example from an offline device: the card stays active.
            try CardCounters.add(
                .snoozed, count: 1, environmentID, templateID: card.layout.templateID, at: now, in: connection
            )
            return nil
        }
        // The statement checks the status again: another node may have closed the card meanwhile.
        guard try change(card, action) else {
            return Self.conflict(try self.card(CardID(action.cardID))?.status ?? card.status)
        }
        feeds[feed(card)] = true
        try CardCounters.add(
            action.kind.counter, environmentID, templateID: card.layout.templateID, at: now, in: connection)
        return nil
    }

    private func refusal(of action: CardAction, _ card: Card) throws -> Problem? {
        guard case .submit = action.kind else { return nil }
        if let verdict = verdicts[action.id], verdict.layout == card.layout { return verdict.refusal }
        return try check.refusal(action.kind, card.layout, connection)
    }

    private func change(_ card: Card, _ action: CardAction) throws -> Bool {
        let key: [SQLValue] = [.id(environmentID), .id(userID), .text(action.cardID)]
        if case .snooze(let until) = action.kind {
            let due = min(until, card.expiresAt ?? until)
            return try connection.execute(
                """
                UPDATE card_instances SET status = 'snoozed', snoozed_until = ?, due_at = ?, updated_at = ?
                WHERE environment_id = ? AND user_id = ? AND card_id = ? AND status = 'active'
                """, [.moment(until), .moment(due), .moment(now)] + key) == 1
        }
        return try connection.execute(
            """
            UPDATE card_instances SET status = ?, is_open = 0, due_at = NULL, closed_by = ?, updated_at = ?
            WHERE environment_id = ? AND user_id = ? AND card_id = ? AND status = 'active'
            """, [.text(action.kind.status.rawValue), .text(action.id), .moment(now)] + key) == 1
    }

    private func card(_ id: CardID) throws -> Card? {
        try connection.row(
            """
            SELECT container_id, template_id, layout_version, status, expires_at, due_at FROM card_instances
            WHERE environment_id = ? AND user_id = ? AND card_id = ?
            """, [.id(environmentID), .id(userID), .id(id)]
        ).map { row in
            Card(
                containerID: try row.id("container_id"),
                layout: .init(
                    templateID: try row.id("template_id"), version: try row.int64("layout_version")),
                status: try row.status("status"), expiresAt: try row.optionalMoment("expires_at"),
                dueAt: try row.optionalMoment("due_at"))
        }
    }

    private func feed(_ card: Card) -> FeedVersions.Feed {
        FeedVersions.Feed(environmentID: environmentID, userID: userID, containerID: card.containerID)
    }

    private func fault(in action: CardAction) -> Problem? {
        switch action.kind {
        case .dismiss: nil
        case .snooze(let until):
            if until < action.time {
                .invalidValue("until", "A card cannot be snoozed into the past.")
            } else if until > now + .seconds(CardLimits.daysAhead * 86_400) {
                .invalidValue("until", "At most \(CardLimits.daysAhead) days ahead.")
            } else {
                nil
            }
        case .submit(let buttonName, let values):
            if let buttonName, buttonName.unicodeScalars.count > CardLimits.nameLength {
                .invalidValue("buttonName", "At most \(CardLimits.nameLength) characters.")
            } else {
                CardInputCheck.fault(in: values).map { .invalidValue("values", $0) }
            }
        }
    }

    private static func conflict(_ status: CardStatus) -> Problem {
        Problem(
            .conflict, status: 409, title: "The card is \(status.rawValue) already.",
            detail: "Only a card that is shown can be completed, dismissed or snoozed.")
    }
}

extension CardAction.Kind {
    /// The state that the action brings a card to.
    var status: CardStatus {
        switch self {
        case .dismiss: .dismissed
        case .snooze: .snoozed
        case .submit: .completed
        }
    }

    /// The count that the action adds to.
    var counter: CardCounters.Kind {
        switch self {
        case .dismiss: .dismissed
        case .snooze: .snoozed
        case .submit: .completed
        }
    }
}

extension SQLRow {
    /// Returns a card's state; throws when this version of the server does not know it.
    func status(_ column: String) throws -> CardStatus {
        let text = try text(column)
        guard let status = CardStatus(rawValue: text) else {
            throw Problem(.serverError, status: 500, title: "A card is in an unknown state.")
        }
        return status
    }
}
