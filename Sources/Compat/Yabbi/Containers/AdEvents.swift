/// The delegate of a container's ad, in the API of YABBI's first generation.
@MainActor public protocol AdEvents: AnyObject {
    /// An ad is loaded and can be shown.
    func onLoad()
    /// No ad was loaded, or the ad could not be shown.
    func onFail(error: any Error)
    /// The ad is on screen.
    func onShow()
    /// The video was played to its end; the user of a rewarded video has then earned the reward.
    func onComplete()
    /// The ad was closed; call `load` for another one.
    func onClose()
}

extension AdEvents {
    public func onLoad() {}
    public func onFail(error: any Error) {}
    public func onShow() {}
    public func onComplete() {}
    public func onClose() {}
}
