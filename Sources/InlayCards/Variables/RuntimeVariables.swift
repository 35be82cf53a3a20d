/// The app's way of resolving variables on the device.
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
    /// Resolves variables: gets the cards of the list and gives them back; cards and variables it leaves
    /// out keep their defaults. Called when cards with variables arrive.
    public var resolve: @Sendable ([Card]) async -> [Card]
    /// The maximum time for `resolve`, after which every variable has its default; default 5 s, never below 0.
    public var limit: Duration
    /// Whether the values go to the server as `runtime-vars-updated`; leave it off when they are nothing
    /// the platform should store.
    public var sendsAnalytics: Bool

    /// A resolver with its limit.
    public init(
        limit: Duration = .seconds(5), sendsAnalytics: Bool = false,
        resolve: @escaping @Sendable ([Card]) async -> [Card]
    ) {
        self.limit = max(.zero, limit)
        self.sendsAnalytics = sendsAnalytics
        self.resolve = resolve
    }
}
