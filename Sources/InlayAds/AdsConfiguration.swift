/// What an app may decide about its ads.
public struct AdsConfiguration: Sendable {
    /// What an app gets that decides nothing.
    public init() {}
}
