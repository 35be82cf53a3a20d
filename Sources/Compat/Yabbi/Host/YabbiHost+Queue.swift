internal import InlayCore

/// The calls of an app, in their order.
extension YabbiHost {
    /// Does one thing after the other: a load that was asked for right after `initialize` finds it done.
    func add(_ job: @escaping @MainActor @Sendable (YabbiHost) async -> Void) {
        let before = last
        // Ends when it was done.
        last = Task { [weak self] in
            await before?.value
            guard let self else { return }
            await job(self)
        }
    }

    /// Returns when everything that was asked for so far has been taken up.
    package func settled() async { await last?.value }

    /// Turns the debug log on or off.
    func setDebug(_ isOn: Bool) {
        debugLevel = isOn ? 3 : 0
        let level = debugLevel
        add { host in await host.openSession?.setDebugLevel(level) }
    }

    /// The refresh interval that the app set for its banners.
    var refreshInterval: Duration? { banner.refreshSeconds > 0 ? .seconds(banner.refreshSeconds) : nil }
}
