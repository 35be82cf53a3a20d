import InlayCore
@_spi(Inlay) import InlayWire

/// The state of the hub, and its observers, which receive every change in order.
final class HubStateObservers: Sendable {
    // An observer that stopped reading keeps the newest events only.
    private static let maximumBacklog = 1024

    private let state = Locked(HubState())
    private let states = Observers<HubState>(.bufferingNewest(1))
    private let events = Observers<HubEvent>(.bufferingNewest(HubStateObservers.maximumBacklog))

    var current: HubState { state.withLock { $0 } }

    func observeStates() -> AsyncStream<HubState> { state.withLock { states.stream(first: $0) } }

    func observeEvents() -> AsyncStream<HubEvent> { events.stream() }

    /// Changes the state; every value that is different afterwards is one event.
    func change(_ body: (inout HubState) -> Void) {
        // Sent under the lock, so that no observer receives two changes in the wrong order.
        state.withLock { state in
            let before = state
            body(&state)
            guard state != before else { return }
            states.yield(state)
            Self.differences(before, state).forEach(events.yield)
        }
    }

    func publish(_ event: HubEvent) { events.yield(event) }

    func finish() {
        states.finish()
        events.finish()
    }

    private static func differences(_ old: HubState, _ new: HubState) -> [HubEvent] {
        var events: [HubEvent] = []
        if old.isDisabled != new.isDisabled { events.append(.disabledChanged(new.isDisabled)) }
        if old.isDownloading != new.isDownloading { events.append(.downloadingChanged(new.isDownloading)) }
        if let progress = new.progress, old.progress != progress { events.append(.progress(progress)) }
        if let version = new.version, old.version != version { events.append(.activated(version: version)) }
        if old.isReady != new.isReady { events.append(.readyChanged(new.isReady)) }
        if old.isDisplaying != new.isDisplaying { events.append(.displayingChanged(new.isDisplaying)) }
        if old.freshness != new.freshness { events.append(.freshnessChanged(new.freshness)) }
        return events
    }
}
