/// The app's settings for its banners.
@MainActor public final class BannerSettings {
    var showsCloseButton = false
    var refreshSeconds = 0

    init() {}

    /// Whether banners have a close button; off unless set.
    @discardableResult
    public func updateShowCloseButton(_ value: Bool) -> BannerSettings {
        showsCloseButton = value
        return self
    }

    /// After how many seconds on screen a banner asks for the next ad; below 10 becomes 10, 0 keeps it.
    @discardableResult
    public func updateRefreshIntervalSeconds(_ value: Int) -> BannerSettings {
        refreshSeconds = value
        return self
    }
}
