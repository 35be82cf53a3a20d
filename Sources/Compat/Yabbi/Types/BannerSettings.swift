/// The app's settings for its banners.
@MainActor public final class BannerSettings {
    var showsCloseButton = false
    var refreshSeconds = 0

    init() {}

    /// Sets whether banners have a close button; `false` by default.
    @discardableResult
    public func updateShowCloseButton(_ value: Bool) -> BannerSettings {
        showsCloseButton = value
        return self
    }

    /// Sets the number of seconds on screen after which a banner requests the next ad, if the server states none.
    /// Values from 1 to 9 become 10; 0, the default, keeps the banner.
    @discardableResult
    public func updateRefreshIntervalSeconds(_ value: Int) -> BannerSettings {
        refreshSeconds = value
        return self
    }
}
