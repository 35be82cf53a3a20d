import InlayCore
@_spi(Inlay) import InlayWire

extension HubSource {
    /// Keeps the content up to date until the session ends or the hub is disabled.
    func follow() async {
        await preloaded()
        // In blocking mode each presentation looks by itself.
        if settings.syncMode == .nonBlocking { await update() }
        let interval = max(context.configuration.pollInterval, .seconds(60))
        let topic = LiveMessage.hubTopic(source: context.configuration.source)
        let signals = await session.live.subscribe(topic: topic, pollEvery: interval)
        for await signal in signals {
            guard !policies.isLatched else { return }
            switch signal {
            case .changed, .poll, .connected: if settings.syncMode == .nonBlocking { await update() }
            case .disconnected: break
            }
        }
    }

    /// Updates the published freshness, now and again when the publisher's statement expires.
    func refreshFreshness() {
        guard let (expires, now) = library.refreshFreshness() else { return }
        let clock = session.clock
        // Ends at the expiry; log-out and the next call cancel it, so that one task waits at most.
        let wait = session.work.start { [weak self] in
            guard (try? await clock.sleep(for: expires - now)) != nil else { return }
            self?.refreshFreshness()
        }
        let before = expiry.withLock { known in
            defer { known = wait }
            return known
        }
        // Outside the lock: this call resumes the sleeping task.
        before?.cancel()
    }

    /// Whether the publisher wants content of this age hidden.
    func isBlocked(_ manifest: HubManifest) -> Bool {
        guard let rule = policies.current?.staleness, rule.action == .block else { return false }
        return context.time.now() >= manifest.expires + .seconds(rule.afterSeconds)
    }

    /// Loads the app's own version, so that the reader need not wait for the first download.
    func loadPreload() async {
        guard let preload = context.configuration.preload, settings.syncMode == .nonBlocking else { return }
        do throws(HubError) {
            try await updater.load(preload)
        } catch {
            context.log.write(.error, .debug, "hub: the preloaded content cannot be used: \(error)")
        }
        refreshFreshness()
    }
}
