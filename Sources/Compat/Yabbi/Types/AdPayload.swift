/// The ad placement that a callback is about.
public struct AdPayload: Hashable, Sendable {
    /// The id of the ad unit.
    public let placementName: String
}
