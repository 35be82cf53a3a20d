@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The state machine of a placement: every state with every input.
@Suite struct AdMachineTests {
    private static let terms = AdResponseTerms(type: .rewarded, closeDelay: .seconds(30))
    private static let error = AdError.notDrawn("test")

    /// Returns a machine in a state.
    static func machine(_ state: AdPlacement.State) -> AdMachine {
        var machine = AdMachine()
        let paths: [AdPlacement.State: [AdInput]] = [
            .initial: [], .loading: [.load], .ready: [.load, .loaded(1, terms)],
            .showing: [.load, .loaded(1, terms), .show],
            .shown: [.load, .loaded(1, terms), .show, .rendered(1)],
            .closed: [.load, .loaded(1, terms), .show, .rendered(1), .dismiss],
            .failed: [.load, .loadFailed(1, .noFill)],
            .expired: [.load, .loaded(1, terms), .expired(1)],
        ]
        for input in paths[state] ?? [] { _ = machine.take(input) }
        return machine
    }

    /// Every input, for the newest load.
    static let inputs: [AdInput] = [
        .load, .loaded(1, terms), .loadFailed(1, .noFill), .show, .rendered(1), .viewable(1),
        .renderTimedOut(1),
        .failed(1, error),
        .clicked(1), .played(1, .complete), .unlocked(1), .close(1), .dismiss, .expired(1), .refresh(1),
        .destroy,
    ]

    /// Returns the next state, the events and the error of an input. A pair that is not listed changes nothing.
    private static func expected(_ state: AdPlacement.State, _ input: AdInput) -> (
        AdPlacement.State, [AdEvent], AdError?
    ) {
        switch (state, input) {
        case (.initial, .load), (.closed, .load), (.failed, .load), (.expired, .load): (.loading, [], nil)
        case (.showing, .load), (.shown, .load): (state, [], .busy)
        case (.loading, .loaded): (.ready, [.loaded], nil)
        case (.loading, .loadFailed): (.failed, [.loadFailed(.noFill)], nil)
        case (.initial, .show), (.loading, .show), (.failed, .show): (state, [], .notLoaded)
        case (.ready, .show): (.showing, [.showing], nil)
        case (.showing, .show), (.shown, .show), (.closed, .show): (state, [], .alreadyShown)
        case (.expired, .show): (.expired, [], .expired)
        case (.showing, .rendered): (.shown, [.shown], nil)
        case (.showing, .renderTimedOut):
            (.failed, [.showFailed(.notDrawn("nothing of it was drawn in time"))], nil)
        case (.showing, .failed): (.failed, [.showFailed(error)], nil)
        case (.shown, .failed): (.closed, [.closed(.error(error))], nil)
        case (.shown, .viewable): (.shown, [.viewable], nil)
        case (.shown, .clicked): (.shown, [.clicked], nil)
        case (.shown, .played): (.shown, [.video(.complete), .rewarded(nil), .closable], nil)
        case (.showing, .unlocked), (.shown, .unlocked): (state, [.closable], nil)
        case (.showing, .close), (.shown, .close): (state, [], .locked)
        case (.showing, .dismiss), (.shown, .dismiss): (.closed, [.closed(.app)], nil)
        case (.ready, .expired): (.expired, [.expired], nil)
        case (.initial, .destroy), (.closed, .destroy), (.failed, .destroy), (.expired, .destroy):
            (.initial, [], nil)
        case (.loading, .destroy), (.ready, .destroy), (.showing, .destroy): (.initial, [.destroyed], nil)
        case (.shown, .destroy): (.initial, [.closed(.app)], nil)
        default: (state, [], nil)
        }
    }

    @Test(arguments: AdPlacement.State.allCases)
    func `every input in every state has the result of the table`(_ state: AdPlacement.State) {
        for input in Self.inputs {
            var machine = Self.machine(state)
            #expect(machine.state == state)
            let before = machine
            let step = machine.take(input)
            let (next, events, misuse) = Self.expected(state, input)
            #expect(machine.state == next, "\(state) × \(input)")
            #expect(step.events == events, "\(state) × \(input)")
            #expect(step.misuse == misuse, "\(state) × \(input)")
            if events.isEmpty, next == state { #expect(machine == before, "\(state) × \(input)") }
        }
    }

    @Test(arguments: AdPlacement.State.allCases)
    func `an input for an earlier load changes nothing in any state`(_ state: AdPlacement.State) {
        var machine = Self.machine(state)
        // The same state in the second load, after the first one failed.
        if state != .initial {
            machine = AdMachine()
            for input in [AdInput.load, .loadFailed(1, .noFill)] { _ = machine.take(input) }
            for input in Self.path(to: state, load: 2) { _ = machine.take(input) }
        }
        #expect(machine.state == state)
        let before = machine
        for input in Self.inputs {
            switch input {
            case .load, .show, .dismiss, .destroy: continue
            default: #expect(machine.take(input) == AdStep(), "\(state) × \(input)")
            }
        }
        #expect(machine == before)
    }

    private static func path(to state: AdPlacement.State, load: Int) -> [AdInput] {
        switch state {
        case .initial: []
        case .loading: [.load]
        case .ready: [.load, .loaded(load, terms)]
        case .showing: [.load, .loaded(load, terms), .show]
        case .shown: [.load, .loaded(load, terms), .show, .rendered(load)]
        case .closed: [.load, .loaded(load, terms), .show, .rendered(load), .dismiss]
        case .failed: [.load, .loadFailed(load, .noFill)]
        case .expired: [.load, .loaded(load, terms), .expired(load)]
        }
    }

    @Test func `every load ends with exactly one terminal event, and no event is repeated`() {
        for seed in 0..<2000 {
            var random = SeededRandom(seed: UInt64(seed))
            var machine = AdMachine()
            var loadEvents: [AdEvent]?
            for index in 0...60 {
                // The last input ends a load that is still open.
                let step = machine.take(index < 60 ? Self.random(&random, machine) : .destroy)
                if step.load != nil, machine.state == .loading {
                    #expect(loadEvents == nil, "seed \(seed): a load begins before the last one ended")
                    loadEvents = []
                }
                for event in step.events {
                    #expect(loadEvents != nil, "seed \(seed): \(event) belongs to no load")
                    let isRepeatable = if case .video(let name) = event { name == .mute } else { false }
                    let isNew = isRepeatable || loadEvents?.contains(event) == false
                    #expect(isNew, "seed \(seed): \(event) twice")
                    loadEvents?.append(event)
                    if event == .closed(.replaced) {
                        loadEvents = []
                    } else if event.isTerminal {
                        loadEvents = nil
                    }
                }
            }
            #expect(loadEvents == nil, "seed \(seed): the last load has no terminal event")
        }
    }

    @Test func `a tracker of an ad is called at most once in any order of inputs`() {
        for seed in 0..<2000 {
            var random = SeededRandom(seed: UInt64(seed))
            var machine = AdMachine()
            var called: [Int: [AdEventName]] = [:]
            for _ in 0..<80 {
                let before = machine.current
                let input = Self.random(&random, machine)
                let step = machine.take(input)
                called[before, default: []] += step.trackers.filter { $0 != .mute }
            }
            for (load, names) in called {
                #expect(Set(names).count == names.count, "seed \(seed): load \(load) called \(names)")
                if let click = names.firstIndex(of: .click), let view = names.firstIndex(of: .view) {
                    #expect(view < click)
                } else {
                    #expect(!names.contains(.click))
                }
                #expect(!names.contains(.reward) || names.contains(.complete))
            }
        }
    }

    private static func random(_ random: inout SeededRandom, _ machine: AdMachine) -> AdInput {
        let load = Int.random(in: max(0, machine.newest - 1)...machine.newest, using: &random)
        let terms = AdResponseTerms(
            type: Bool.random(using: &random) ? .rewarded : .banner,
            closeDelay: Bool.random(using: &random) ? .zero : .seconds(5), refresh: .seconds(30))
        let names: [AdEventName] = [.start, .firstQuartile, .complete, .skip, .mute]
        let inputs: [AdInput] = [
            .load, .load, .loaded(load, terms), .loaded(load, terms), .loadFailed(load, .noFill), .show,
            .show,
            .rendered(load), .rendered(load), .renderTimedOut(load), .failed(load, error), .clicked(load),
            .viewable(load),
            .played(load, names.randomElement(using: &random) ?? .start), .unlocked(load), .close(load),
            .dismiss, .expired(load), .refresh(load), .destroy,
        ]
        return inputs.randomElement(using: &random) ?? .load
    }
}
