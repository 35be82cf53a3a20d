import InlayCore

/// A resolver of runtime variables for one observer. It calls the app only for cards without values.
actor CardResolver {
    /// The card and its layout, because a new version of the template may have other variables.
    private struct Key: Hashable {
        let card: String
        let layout: String

        init(_ card: Card) {
            self.card = card.id
            layout = card.instance.layoutID
        }
    }

    private let variables: RuntimeVariables
    private let clock: any SessionClock
    private let work: SessionWork
    private let resolved: @Sendable (Card) async -> Void
    private var values: [Key: [String: String]] = [:]

    /// Creates a resolver; `resolved` receives each card whose variables the app gave values.
    init(
        _ variables: RuntimeVariables, clock: any SessionClock, work: SessionWork,
        resolved: @escaping @Sendable (Card) async -> Void
    ) {
        self.variables = variables
        self.clock = clock
        self.work = work
        self.resolved = resolved
    }

    /// Returns the cards with their values. Calls the app when a card has no values yet.
    func fill(_ cards: [Card]) async -> [Card] {
        let withVariables = cards.filter(\.hasRuntimeVariables)
        if withVariables.contains(where: { values[Key($0)] == nil }) { await resolve(cards) }
        // Values of cards that left the list are removed.
        let present = Set(withVariables.map(Key.init))
        values = values.filter { present.contains($0.key) }
        return cards.map(filled)
    }

    /// Removes all values, so that the next `fill` calls the app again.
    func forget() { values = [:] }

    private func resolve(_ cards: [Card]) async {
        let resolve = variables.resolve
        let plain = cards.map { $0.withDefaults() }
        let answer = await TimeLimit.run(variables.limit, clock: clock, work: work) { await resolve(plain) }
        // When the app does not answer in time, all variables have their defaults, even those resolved before.
        var fresh: [Key: [String: String]] = [:]
        for card in answer ?? [] where !card.resolved.isEmpty { fresh[Key(card)] = card.resolved }
        for card in cards where card.hasRuntimeVariables { values[Key(card)] = fresh[Key(card)] ?? [:] }
        for card in cards where fresh[Key(card)] != nil { await resolved(filled(card)) }
    }

    private func filled(_ card: Card) -> Card {
        guard let values = values[Key(card)], !values.isEmpty else { return card }
        var card = card
        // `Card.resolve` ignores names that are no runtime variable of the card.
        for (name, value) in values { card.resolve(name, to: value) }
        return card
    }
}
