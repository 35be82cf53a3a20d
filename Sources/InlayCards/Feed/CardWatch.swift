import InlayCore
@_spi(Inlay) import InlayWire

/// An observation of a container: keeps its feed up to date and sends its states to one observer.
struct CardWatch: Sendable {
    let engine: CardEngine
    let container: String
    /// The time between polls while there is no socket; `nil` turns polling off.
    let interval: Duration?

    /// Returns a stream of the states that `change` returns, without repetitions.
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
                // `CardFeeds` ends the states at log-out. The other task is not needed any longer then.
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
        await engine.refresher.refresh(container)
        let catchUp = CardCatchUp(engine: engine, container: container)
        var retrying: Task<Void, Never>?
        for await signal in signals {
            // The request for this signal, or the polls, replace the retries for the one before.
            retrying?.cancel()
            retrying = nil
            switch signal {
            case .changed(let version):
                if let known = await engine.feeds.version(container), known >= version { continue }
                retrying = await catchUp.refresh(atLeast: version)
            // Changes from the time without a socket may be missing.
            case .connected: retrying = await catchUp.refresh(atLeast: nil)
            case .poll: await engine.refresher.refresh(container)
            case .disconnected: break
            }
        }
        // The signals end with the observer or the session.
        retrying?.cancel()
    }

    /// Publishes the stored feed, before the first request.
    private func showStored() async {
        do {
            try await engine.feeds.load(container)
        } catch {
            engine.session.log.detail("cards \(container): nothing from the store: \(error)")
        }
    }
}
