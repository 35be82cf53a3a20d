import InlayCore
@_spi(Inlay) import InlayWire

/// One observer of one container: keeps the feed fresh while it looks, and hands it the states.
struct CardWatch: Sendable {
    let engine: CardEngine
    let container: String
    /// Between polls while there is no socket; `nil` for never.
    let interval: Duration?

    /// The states as `change` makes them, without repetitions.
    func states(
        _ change: @escaping @Sendable (CardFeedState) async -> CardFeedState
    ) -> AsyncStream<CardFeedState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CardFeedState.self, bufferingPolicy: .bufferingNewest(1))
        // Ends when the observer stops or the session ends; both cancel it.
        let task = engine.session.work.start {
            await withTaskGroup { group in
                group.addTask { await keepFresh() }
                group.addTask {
                    var last: CardFeedState?
                    for await state in await engine.feeds.watch(container) {
                        let changed = await change(state)
                        guard changed != last else { continue }
                        last = changed
                        continuation.yield(changed)
                    }
                }
                // The board ends the states at log-out; the signals have nobody to serve then.
                await group.next()
                group.cancelAll()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func keepFresh() async {
        let signals = await engine.session.live.subscribe(
            topic: LiveMessage.cardTopic(container: container), pollEvery: interval)
        await showStored()
        await engine.puller.refresh(container)
        let catchUp = CardCatchUp(engine: engine, container: container)
        var asking: Task<Void, Never>?
        for await signal in signals {
            // Newer news, or polls, take its place.
            asking?.cancel()
            asking = nil
            switch signal {
            case .changed(let version):
                if let known = await engine.feeds.version(container), known >= version { continue }
                asking = await catchUp.pull(atLeast: version)
            // Changes from the time without a socket may be missing.
            case .connected: asking = await catchUp.pull(atLeast: nil)
            case .poll: await engine.puller.refresh(container)
            case .disconnected: break
            }
        }
        // The signals end with the observer or the session; the states end by themselves then.
        asking?.cancel()
    }

    /// Shows the stored feed, before the server is asked.
    private func showStored() async {
        do {
            try await engine.feeds.load(container)
        } catch {
            engine.session.log.detail("cards \(container): nothing from the store: \(error)")
        }
    }
}
