@_spi(Inlay) import InlayWire

/// The state machine of an ad placement, as a value without clock, network or screen.
///
/// `take` returns the effects of an input. An input that has no meaning in the current state, or belongs to an earlier
/// load, has no effects.
struct AdMachine: Hashable, Sendable {
    private(set) var state = AdPlacement.State.initial
    /// The number of the newest load; the first is 1.
    private(set) var newest = 0
    /// The load that is ready or on screen.
    private(set) var current = 0
    private(set) var terms: AdResponseTerms?
    /// Whether the user may close what is on screen.
    private(set) var isClosable = false
    private var isRefreshing = false
    /// The events that were sent once for the current impression and must not be sent again.
    private var done: Set<AdEventName> = []

    /// Moves to the next state and returns the effects of the input.
    mutating func take(_ input: AdInput) -> AdStep {
        switch input {
        case .load: load()
        case .loaded(let load, let terms): loaded(load, terms)
        case .loadFailed(let load, let error): loadFailed(load, error)
        case .show: show()
        case .dismiss: state.isDisplayed ? closed(.app) : AdStep()
        case .destroy: destroy()
        case .expired(let load): expired(load)
        case .rendered(let load), .viewable(let load), .renderTimedOut(let load), .failed(let load, _),
            .clicked(let load),
            .played(let load, _),
            .unlocked(let load), .close(let load), .refresh(let load):
            state.isDisplayed && load == current ? displayed(input) : AdStep()
        }
    }

    // MARK: Loading

    private mutating func load() -> AdStep {
        switch state {
        case .loading, .ready: return AdStep()
        case .showing, .shown: return .misused(.busy)
        case .initial, .closed, .failed, .expired:
            newest += 1
            state = .loading
            return AdStep(load: newest)
        }
    }

    private mutating func loaded(_ load: Int, _ terms: AdResponseTerms) -> AdStep {
        guard load == newest else { return AdStep() }
        if isRefreshing, state.isDisplayed { return replaced(terms) }
        guard state == .loading else { return AdStep() }
        state = .ready
        begin(load, terms)
        return AdStep(events: [.loaded], timers: [.expiry(load, terms.lifetime)])
    }

    private mutating func loadFailed(_ load: Int, _ error: AdError) -> AdStep {
        guard load == newest else { return AdStep() }
        if isRefreshing, state.isDisplayed {
            // The current banner stays and requests the next ad after another refresh interval.
            isRefreshing = false
            return AdStep(timers: refreshTimer)
        }
        guard state == .loading else { return AdStep() }
        state = .failed
        return AdStep(events: [.loadFailed(error)], releasesAd: true)
    }

    private mutating func expired(_ load: Int) -> AdStep {
        guard state == .ready, load == current else { return AdStep() }
        state = .expired
        return AdStep(events: [.expired], releasesAd: true)
    }

    // MARK: Showing

    private mutating func show() -> AdStep {
        switch state {
        case .initial, .loading, .failed: return .misused(.notLoaded)
        case .showing, .shown, .closed: return .misused(.alreadyShown)
        case .expired: return .misused(.expired)
        case .ready:
            state = .showing
            return drawing()
        }
    }

    private mutating func displayed(_ input: AdInput) -> AdStep {
        switch input {
        case .rendered: rendered()
        case .failed(_, let error): failed(error)
        case .renderTimedOut:
            state == .showing ? failed(.notDrawn("nothing of it was drawn in time")) : AdStep()
        case .viewable: counted(.viewable, .viewable)
        case .clicked: counted(.click, .clicked)
        case .played(_, let name): played(name)
        case .unlocked: unlocked()
        case .close: isClosable ? closed(.user) : .misused(.locked)
        case .refresh: refresh()
        default: AdStep()
        }
    }

    private mutating func rendered() -> AdStep {
        guard state == .showing else { return AdStep() }
        state = .shown
        return AdStep(events: [.shown], trackers: [.view], timers: refreshTimer)
    }

    private mutating func counted(_ name: AdEventName, _ event: AdEvent) -> AdStep {
        guard state == .shown, once(name) else { return AdStep() }
        return AdStep(events: [event], trackers: [name])
    }

    private mutating func failed(_ error: AdError) -> AdStep {
        guard state == .showing else {
            var step = closed(.error(error))
            step.trackers.insert(.error, at: 0)
            return step
        }
        state = .failed
        return AdStep(events: [.showFailed(error)], trackers: [.error], releasesAd: true)
    }

    private mutating func played(_ name: AdEventName) -> AdStep {
        guard state == .shown, terms?.type.isVideo == true, Self.playable.contains(name) else {
            return AdStep()
        }
        // Mute, unmute, pause and resume count each time; all other events once.
        guard Self.repeated.contains(name) || once(name) else { return AdStep() }
        var step = AdStep(events: [.video(name)], trackers: [name])
        guard name == .complete || name == .skip else { return step }
        if name == .complete, terms?.type == .rewarded, once(.reward) {
            step.events.append(.rewarded(terms?.reward))
            step.trackers.append(.reward)
        }
        // The video is over, so the ad can be closed; only a rewarded video that was skipped stays locked.
        if name == .complete || terms?.type != .rewarded { step.events += unlocked().events }
        return step
    }

    private mutating func unlocked() -> AdStep {
        guard !isClosable else { return AdStep() }
        isClosable = true
        return AdStep(events: [.closable])
    }

    private mutating func closed(_ reason: AdEvent.CloseReason) -> AdStep {
        let wasShown = state == .shown
        (state, isRefreshing) = (.closed, false)
        // A load for the next banner may be running; the new number makes its result a late one.
        newest += 1
        return AdStep(events: [.closed(reason)], trackers: wasShown ? closingEvents : [], releasesAd: true)
    }

    // MARK: The next banner

    private mutating func refresh() -> AdStep {
        guard state == .shown, !isRefreshing, terms?.refresh != nil else { return AdStep() }
        isRefreshing = true
        newest += 1
        return AdStep(load: newest)
    }

    private mutating func replaced(_ terms: AdResponseTerms) -> AdStep {
        isRefreshing = false
        state = .showing
        // The events of the replaced ad, before `begin` resets the set that they are computed from.
        let closingEvents = closingEvents
        begin(newest, terms)
        var step = drawing()
        step.trackers = closingEvents
        step.events.insert(contentsOf: [.closed(.replaced), .loaded], at: 0)
        return step
    }

    // MARK: The end

    private mutating func destroy() -> AdStep {
        let before = state
        guard before != .initial else { return AdStep() }
        (state, isRefreshing, isClosable) = (.initial, false, false)
        newest += 1
        switch before {
        case .initial, .closed, .failed, .expired: return AdStep(releasesAd: true)
        case .loading, .ready: return AdStep(events: [.destroyed], releasesAd: true)
        case .showing: return AdStep(events: [.destroyed], releasesAd: true)
        case .shown: return AdStep(events: [.closed(.app)], trackers: closingEvents, releasesAd: true)
        }
    }

    // MARK: Parts

    private mutating func begin(_ load: Int, _ terms: AdResponseTerms) {
        (current, self.terms, isClosable, done) = (load, terms, false, [])
    }

    private mutating func drawing() -> AdStep {
        var step = AdStep(events: [.showing], drawnLoad: current)
        let closeDelay = terms?.closeDelay ?? .zero
        if closeDelay > .zero {
            step.timers = [.unlock(current, closeDelay)]
        } else {
            step.events += unlocked().events
        }
        if terms?.coversPage == true { step.timers.append(.drawing(current, Self.drawingTime)) }
        return step
    }

    private var refreshTimer: [AdStep.Timer] { (terms?.refresh).map { [.refresh(current, $0)] } ?? [] }

    /// The events to send when an ad leaves the screen. Until then it could still become viewable.
    private var closingEvents: [AdEventName] { done.contains(.viewable) ? [.close] : [.notViewable, .close] }

    private mutating func once(_ name: AdEventName) -> Bool { done.insert(name).inserted }

    /// The maximum time until an ad that covers the page has drawn something.
    private static let drawingTime = Duration.seconds(15)
    private static let playable: Set<AdEventName> = [
        .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .skip, .mute, .unmute, .pause, .resume,
    ]
    private static let repeated: Set<AdEventName> = [.mute, .unmute, .pause, .resume]
}
