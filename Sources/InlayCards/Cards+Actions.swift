@_spi(Inlay) public import InlayWire
import InlayCore

extension Cards {
    /// Dismisses a card: hides it at once, stores the action, and sends it as soon as possible.
    ///
    /// Returns when the action is stored; `confirmed()` of the ticket waits for the server. The card need not be
    /// loaded. Dismissing a card twice is one action.
    @discardableResult
    public func dismiss(_ cardID: String, in containerID: String) async throws(CardActionError)
        -> CardActionTicket
    {
        try await perform(cardID, containerID, .dismiss, event: .cardDismissed)
    }

    /// Hides a card for a duration of 0 seconds or more.
    @discardableResult
    public func snooze(
        _ cardID: String, in containerID: String, for duration: Duration
    ) async throws(CardActionError) -> CardActionTicket {
        guard duration >= .zero else {
            throw .invalidArgument("A card cannot be snoozed for \(duration); give 0 seconds or more.")
        }
        let now = engine.session.serverClock.now()
        return try await snooze(
            cardID, containerID, until: now + duration, seconds: duration.microseconds / 1_000_000)
    }

    /// Hides a card until a time of the server's clock, which must not be in the past.
    @discardableResult
    public func snooze(
        _ cardID: String, in containerID: String, until moment: Timestamp
    ) async throws(CardActionError) -> CardActionTicket {
        let now = engine.session.serverClock.now()
        guard moment >= now else { throw .invalidArgument("The moment to snooze until has passed.") }
        return try await snooze(
            cardID, containerID, until: moment, seconds: (moment - now).microseconds / 1_000_000)
    }

    /// Completes a card with a button's name and values.
    ///
    /// - Parameters:
    ///   - button: the name of the button in the submission and in analytics.
    ///   - validate: whether the button and the values are also checked on the device; the card must be loaded then.
    ///     The server refuses an invalid submission in any case: `CardActionError.refused` with the problem's
    ///     `fields`, and the card is shown again.
    @discardableResult
    public func submit(
        _ cardID: String, in containerID: String, button: String?, values: [String: CardInputValue] = [:],
        validate: Bool = false
    ) async throws(CardActionError) -> CardActionTicket {
        for (name, value) in values {
            if case .number(let number) = value, !number.isFinite {
                throw .invalidArgument("The value \(name) is \(number), which JSON cannot carry.")
            }
        }
        if validate { try await self.validate(cardID, containerID, button, values) }
        var properties: [String: JSONValue] = ["values": .object(values.mapValues(\.json))]
        properties["buttonName"] = button.map { .string($0) }
        return try await perform(
            cardID, containerID, .submit(buttonName: button, values: values), event: .cardCompleted,
            properties: properties)
    }

    private func snooze(
        _ cardID: String, _ containerID: String, until moment: Timestamp, seconds: Int64
    ) async throws(CardActionError) -> CardActionTicket {
        try await perform(
            cardID, containerID, .snooze(until: moment), event: .cardSnoozed,
            properties: ["until": .integer(moment.microseconds), "seconds": .integer(seconds)])
    }

    private func validate(
        _ cardID: String, _ containerID: String, _ button: String?, _ values: [String: CardInputValue]
    ) async throws(CardActionError) {
        guard let card = await engine.feeds.card(cardID, in: containerID) else { throw .unknownCard }
        let problems = CardSubmissionRules.problems(in: card.layout, buttonName: button, values: values)
        guard !problems.contains(where: { $0.code == .unknownButton }) else { throw .unknownCard }
        guard problems.isEmpty else { throw .validationFailed(problems.byField) }
    }

    private func perform(
        _ cardID: String, _ containerID: String, _ kind: CardAction.Kind, event: SessionEvent.Name,
        properties: [String: JSONValue] = [:]
    ) async throws(CardActionError) -> CardActionTicket {
        guard IDRule.admits(cardID), IDRule.admits(containerID) else {
            throw .invalidArgument("Card and container ids have 1 to 128 characters.")
        }
        guard engine.session.isActive else { throw .loggedOut }
        let now = engine.session.serverClock.now()
        let action = CardAction(
            id: UUIDv7.make(at: now), containerID: containerID, cardID: cardID,
            layoutID: await engine.feeds.card(cardID, in: containerID)?.instance.layoutID, time: now,
            kind: kind)
        let (ticket, isNew) = try await engine.actions.perform(action)
        if isNew {
            await engine.analytics.record(
                SessionEvent(
                    event, time: now, properties: properties, containerID: containerID, itemID: cardID))
        }
        return ticket
    }
}

extension CardInputValue {
    /// The value as JSON. A whole number is an integer.
    var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
        case .boolean(let flag): .bool(flag)
        }
    }
}

extension [FieldProblem] {
    /// The messages by field; of several problems of a field, the message of the first.
    var byField: [String: String] {
        [String: String](map { ($0.field, $0.message) }) { first, _ in first }
    }
}

/// A ticket of an action that has taken effect on the device, is stored, and is sent as soon as possible.
public struct CardActionTicket: Sendable, Identifiable {
    /// The action's id; the server applies it once.
    public let id: String
    private let outcome: @Sendable () async -> Result<Void, CardActionError>

    init(id: String, outcome: @escaping @Sendable () async -> Result<Void, CardActionError>) {
        self.id = id
        self.outcome = outcome
    }

    /// Waits for the server's response.
    ///
    /// Throws `refused` when the server refused the action, and `notSent` as soon as an attempt failed; the action is
    /// still stored then and sent later.
    public func confirmed() async throws(CardActionError) { try await outcome().get() }
}
