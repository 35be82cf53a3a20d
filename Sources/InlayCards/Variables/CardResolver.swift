import InlayCore

/// Fills in runtime variables for one observer, asking the app only when there is something new to ask.
actor CardResolver {
    /// A card's values belong to its layout too: a new version of the template may ask for others.
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

    /// The cards with their values; asks the app when one of them was not asked for before.
    func fill(_ cards: [Card]) async -> [Card] {
        let asked = cards.filter(\.hasRuntimeVariables)
        if asked.contains(where: { values[Key($0)] == nil }) { await ask(cards) }
        // Values of cards that left the list are forgotten with them.
        let present = Set(asked.map(Key.init))
        values = values.filter { present.contains($0.key) }
        return cards.map(filled)
    }

    /// Asks the app again at the next `fill`.
    func forget() { values = [:] }

    private func ask(_ cards: [Card]) async {
        let resolve = variables.resolve
        let plain = cards.map { $0.withDefaults() }
        let answer = await TimeLimit.run(variables.limit, clock: clock, work: work) { await resolve(plain) }
        // Too late or never: every variable has its default, those of earlier answers too.
        var fresh: [Key: [String: String]] = [:]
        for card in answer ?? [] where !card.resolved.isEmpty { fresh[Key(card)] = card.resolved }
        for card in cards where card.hasRuntimeVariables { values[Key(card)] = fresh[Key(card)] ?? [:] }
        for card in cards where fresh[Key(card)] != nil { await resolved(filled(card)) }
    }

    private func filled(_ card: Card) -> Card {
        guard let values = values[Key(card)], !values.isEmpty else { return card }
        var card = card
        // `resolve` refuses names that are no runtime variable of the card.
        for (name, value) in values { card.resolve(name, to: value) }
        return card
    }
}
