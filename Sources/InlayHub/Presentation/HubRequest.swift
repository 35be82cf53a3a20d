/// The first page of a presentation.
package enum HubRequest: Hashable, Sendable {
    /// The hub that fits the active user's tags best.
    case user
    /// The hub that fits these tags best, in place of the user's; for this presentation only.
    case tags([String])
    /// The page that an address names.
    case uri(String)
}
