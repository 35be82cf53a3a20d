/// The delegate of a container's ad, in the API of YABBI's first generation.
@MainActor public protocol AdEvents: AnyObject {
    /// An ad is there and may be shown.
    func onLoad()
    /// No ad came, or it could not be shown.
    func onFail(error: any Error)
    /// The ad is on screen.
    func onShow()
    /// The video was played to its end; of a rewarded one this is the reward.
    func onComplete()
    /// The ad is gone; load again for another.
    func onClose()
}

extension AdEvents {
    public func onLoad() {}
    public func onFail(error: any Error) {}
    public func onShow() {}
    public func onComplete() {}
    public func onClose() {}
}
