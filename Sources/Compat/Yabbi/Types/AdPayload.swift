/// The ad placement that a callback is about.
public struct AdPayload: Hashable, Sendable {
    /// The ad place's id.
    public let placementName: String
}
