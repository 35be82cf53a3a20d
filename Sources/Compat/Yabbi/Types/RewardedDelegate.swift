/// A receiver of the events of rewarded videos. Every callback has a form with the ad placement and an older form
/// without it; implement either.
@MainActor public protocol RewardedDelegate: AnyObject {
    /// An ad is loaded and can be shown.
    func onRewardedLoaded(_ adPayload: AdPayload)
    /// No ad was loaded.
    func onRewardedLoadFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The ad is on screen.
    func onRewardedShown(_ adPayload: AdPayload)
    /// The ad could not be shown.
    func onRewardedShowFailed(_ adPayload: AdPayload, _ error: AdException)
    /// The video began.
    func onRewardedVideoStarted(_ adPayload: AdPayload)
    /// The video was played to its end.
    func onRewardedVideoCompleted(_ adPayload: AdPayload)
    /// The user earned the reward.
    func onUserRewarded(_ adPayload: AdPayload)
    /// The ad was closed.
    func onRewardedClosed(_ adPayload: AdPayload)
    /// An ad is loaded and can be shown.
    func onRewardedLoaded()
    /// No ad was loaded.
    func onRewardedLoadFailed(_ error: AdException)
    /// The ad is on screen.
    func onRewardedShown()
    /// The ad could not be shown.
    func onRewardedShowFailed(_ error: AdException)
    /// The user earned the reward.
    func onRewardedFinished()
    /// The ad was closed.
    func onRewardedClosed()
}

extension RewardedDelegate {
    public func onRewardedLoaded(_ adPayload: AdPayload) { onRewardedLoaded() }
    public func onRewardedLoadFailed(_ adPayload: AdPayload, _ error: AdException) {
        onRewardedLoadFailed(error)
    }
    public func onRewardedShown(_ adPayload: AdPayload) { onRewardedShown() }
    public func onRewardedShowFailed(_ adPayload: AdPayload, _ error: AdException) {
        onRewardedShowFailed(error)
    }
    public func onRewardedVideoStarted(_ adPayload: AdPayload) {}
    public func onRewardedVideoCompleted(_ adPayload: AdPayload) {}
    public func onUserRewarded(_ adPayload: AdPayload) { onRewardedFinished() }
    public func onRewardedClosed(_ adPayload: AdPayload) { onRewardedClosed() }
    public func onRewardedLoaded() {}
    public func onRewardedLoadFailed(_ error: AdException) {}
    public func onRewardedShown() {}
    public func onRewardedShowFailed(_ error: AdException) {}
    public func onRewardedFinished() {}
    public func onRewardedClosed() {}
}
