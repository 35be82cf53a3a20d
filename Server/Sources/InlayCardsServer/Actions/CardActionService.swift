import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A service that applies the actions of users to their cards.
///
/// Each action takes effect once: its id, its effect, its counts and the new version of the feed are
/// committed together, and a copy gets the receipt of the first. A refused action does not affect the others.
package struct CardActionService: Sendable {
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp
    let onChange: CardChangeHandler
    var layouts = LayoutCache()
    /// Called when a snooze may end before the time that the job queue waits for.
    let wakeJobs: @Sendable () -> Void

    /// Applies the actions in order and returns a receipt for each. Callers pass at most 500.
    ///
    /// A submission that does not fit the layout of its card is refused with 422 `invalid-submission` and the names of
    /// the fields; the card stays open.
    package func apply(
        _ environmentID: EnvironmentID, _ userID: UserID, clientVersion: String, _ actions: [CardAction]
    ) async throws -> [ItemReceipt] {
        let moment = now()
        let check = CardSubmissionCheck(environmentID: environmentID, layouts: layouts)
        let verdicts = try await check.verdicts(userID, actions, database)
        let outcome = try await database.write { connection in
            var application = CardActionApplication(
                userID: userID, clientVersion: clientVersion, now: moment, check: check, verdicts: verdicts,
                connection: connection)
            let receipts = try actions.map { try application.receipt(for: $0) }
            return (receipts: receipts, changes: try application.renewFeeds())
        }
        // Only a snooze adds a due time that the job queue does not know yet.
        if actions.contains(where: { $0.kind.status == .snoozed }) { wakeJobs() }
        if !outcome.changes.isEmpty { await onChange(outcome.changes) }
        return outcome.receipts
    }

    /// Returns the latest submissions of an environment, newest first; at most 200.
    package func submissions(_ environmentID: EnvironmentID, limit: Int = 50) async throws -> [CardSubmission]
    {
        try await database.read { connection in
            try connection.rows(
                """
                SELECT a.user_id, a.card_id, a.body, a.client_version, a.received_at, i.template_id
                FROM card_actions a JOIN card_instances i ON i.environment_id = a.environment_id
                    AND i.user_id = a.user_id AND i.card_id = a.card_id AND i.closed_by = a.action_id
                WHERE a.environment_id = ? AND i.status = 'completed' ORDER BY a.received_at DESC LIMIT ?
                """, [.id(environmentID), .int(min(max(limit, 1), 200))]
            ).map(CardSubmission.init)
        }
    }

    /// Returns the latest submissions to a template's cards, newest first; at most 200.
    package func submissions(
        _ environmentID: EnvironmentID, templateID: CardTemplateID, limit: Int = 50
    ) async throws -> [CardSubmission] {
        try await database.read { connection in
            try connection.rows(
                Self.submissionsToTemplate,
                [.id(environmentID), .id(templateID), .int(min(max(limit, 1), 200))]
            ).map(CardSubmission.init)
        }
    }

    // The query begins with the cards: an index has the completed ones, newest first. The status is a literal so that
    // this partial index is used.
    static let submissionsToTemplate = """
        SELECT a.user_id, a.card_id, a.body, a.client_version, a.received_at, i.template_id
        FROM card_instances i JOIN card_actions a ON a.environment_id = i.environment_id
            AND a.user_id = i.user_id AND a.action_id = i.closed_by
        WHERE i.environment_id = ? AND i.template_id = ? AND i.status = 'completed'
        ORDER BY i.updated_at DESC LIMIT ?
        """
}

/// A card that a user completed, with what was submitted.
package struct CardSubmission: Hashable, Sendable {
    /// The user who acted.
    package let userID: UserID
    /// The card.
    package let cardID: CardID
    /// The template of the card.
    package let templateID: CardTemplateID
    /// The name of the button; `nil` when it has none.
    package let buttonName: String?
    /// The values of the inputs and of the button.
    package let values: [String: CardInputValue]
    /// The host app's version.
    package let clientVersion: String
    /// The time at which the submission reached the server.
    package let receivedAt: Timestamp

    init(_ row: SQLRow) throws {
        userID = try row.id("user_id")
        cardID = try row.id("card_id")
        templateID = try row.id("template_id")
        clientVersion = try row.text("client_version")
        receivedAt = try row.moment("received_at")
        let action: CardAction = try JSONColumn.value(try row.text("body"))
        guard case .submit(let buttonName, let values) = action.kind else {
            (buttonName, values) = (nil, [:])
            return
        }
        (self.buttonName, self.values) = (buttonName, values)
    }
}
