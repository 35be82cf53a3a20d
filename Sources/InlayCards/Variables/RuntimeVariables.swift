/// The app's resolver of runtime variables.
///
/// ```swift
/// RuntimeVariables { cards in
///     cards.map { card in
///         var card = card
///         card.resolve("numberOfItems", to: "12")
///         return card
///     }
/// }
/// ```
public struct RuntimeVariables: Sendable {
    /// Returns the cards of the list with resolved variables. Cards and variables that are left out have their
    /// defaults. Called when cards with variables arrive.
    public var resolve: @Sendable ([Card]) async -> [Card]
    /// The maximum time for `resolve`, after which every variable has its default; default 5 s, never below 0.
    public var limit: Duration
    /// Whether the values are sent to the server in the event `runtime-vars-updated`; default `false`. Leave it off
    /// when the server must not store them.
    public var sendsAnalytics: Bool

    /// Creates a resolver; a negative limit becomes 0.
    public init(
        limit: Duration = .seconds(5), sendsAnalytics: Bool = false,
        resolve: @escaping @Sendable ([Card]) async -> [Card]
    ) {
        self.limit = max(.zero, limit)
        self.sendsAnalytics = sendsAnalytics
        self.resolve = resolve
    }
}
