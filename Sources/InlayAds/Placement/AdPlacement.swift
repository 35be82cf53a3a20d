import Foundation
import InlayCore
public import InlayWire

/// One ad place of the app: loads ads and shows them, one at a time, as often as the app likes.
///
/// ```swift
/// try await place.load()      // nothing is on screen, nothing is counted
/// try place.show()            // the surface of the place draws it
/// ```
/// All calls may come from any thread. The place lives as long as the app keeps it.
public final class AdPlacement: Sendable {
    /// The ad place's id, from the Workbench.
    public let unitID: String
    /// What the app means to show; the server decides.
    public let format: AdFormat?
    /// The room that the app has, in points; the server decides.
    public let size: AdSize?
    let ads: Ads
    let inner = Locked(Inner())
    // Who does not read keeps the newest only.
    private let observers = Observers<AdEvent>(.bufferingNewest(256))

    struct Inner: Sendable {
        var machine = AdMachine()
        /// What is ready or on screen.
        var offer: AdOffer?
        /// The number of what is drawn. Not the show itself: that holds the place, which would then hold itself.
        var show: Int?
        /// The load that is under way.
        var loading: Task<Void, Never>?
        var timers: [Task<Void, Never>] = []
        var link = AdLinkGuard()
        /// The places of the video whose trackers were called.
        var passed: Set<Int> = []
        /// What the creative may still have called.
        var budget = AdCallBudget()
        var refreshInterval: Duration?
        var showsCloseButton = true
    }

    init(_ ads: Ads, unitID: String, format: AdFormat?, size: AdSize?) {
        self.ads = ads
        self.unitID = unitID
        self.format = format
        self.size = size
    }

    deinit {
        let (timers, loading) = inner.withLock { ($0.timers, $0.loading) }
        timers.forEach { $0.cancel() }
        loading?.cancel()
    }

    /// Where the place is in its life.
    public var state: AdState { inner.withLock { $0.machine.state } }

    /// What is drawn now; `nil` while nothing is to be on screen.
    public var current: AdShow? {
        inner.withLock { inner in
            guard let id = inner.show, let offer = inner.offer else { return nil }
            return AdShow(id: id, offer: offer, placement: self)
        }
    }

    /// The type of the ad that is ready or on screen.
    public var type: AdType? { inner.withLock { $0.offer?.terms.type } }

    /// Whether the user may close what is on screen.
    public var isClosable: Bool { inner.withLock { $0.machine.isClosable } }

    /// When a banner on screen asks for the next ad, where the server says nothing; `nil` (the default) keeps
    /// it, below 10 s becomes 10 s. Counts from the next load on.
    public var refreshInterval: Duration? {
        get { inner.withLock { $0.refreshInterval } }
        set { inner.withLock { $0.refreshInterval = newValue } }
    }

    /// Whether a banner's surface offers a close button; on by default. Ads over the whole page always do.
    public var showsCloseButton: Bool {
        get { inner.withLock { $0.showsCloseButton } }
        set { inner.withLock { $0.showsCloseButton = newValue } }
    }

    /// What happens from now on; any number of observers, each gets all. Ends with the session.
    public var events: AsyncStream<AdEvent> { observers.stream() }

    /// Asks the server for an ad and returns when it can be shown; at once when one is ready.
    ///
    /// A video's film comes with it, so showing needs no network.
    /// Several callers wait for the same answer. A caller that is cancelled stops waiting, the load goes on.
    ///
    /// - Throws: what `AdEvent.loadFailed` says; `busy` while an ad is on screen; `destroyed`, `cancelled`.
    public func load() async throws(AdError) {
        let events = events
        guard try beginLoad() else { return }
        for await event in events {
            switch event {
            case .loaded: return
            case .loadFailed(let error): throw error
            case .destroyed: throw .destroyed
            default: continue
            }
        }
        throw ads.session.isActive ? .cancelled : .loggedOut
    }

    /// Begins to load and waits for nothing, so that calls keep their order: a `destroy()` behind it ends it.
    ///
    /// - Returns: whether an event will tell what came of it; none does where an ad is ready.
    /// - Throws: `notInitialized`, `loggedOut`, `busy`; nothing happened then, and no event tells it.
    package func beginLoad() throws(AdError) -> Bool {
        guard ads.isInitialized else { throw .notInitialized }
        guard ads.session.isActive else { throw .loggedOut }
        let step = take(.load)
        if let misuse = step.misuse { throw misuse }
        return step.load != nil || state != .ready
    }

    /// Shows what was loaded: at once, without asking the server. Once for each load.
    ///
    /// - Throws: `notLoaded`, `alreadyShown`, `expired`; nothing happened then.
    public func show() throws(AdError) {
        if let misuse = take(.show).misuse { throw misuse }
    }

    /// Takes the ad off screen, whatever holds it there: for when the app's page goes.
    public func dismiss() { take(.dismiss) }

    /// Gives up whatever is there; the place can be used again.
    public func destroy() { take(.destroy) }

    /// The session ends: what is on screen goes, and nothing comes any more.
    func end() async {
        take(.destroy)
        await ads.desk.settled()
        observers.finish()
    }

    /// The app dropped the session: the same without waiting for what closing has to say.
    func release() {
        take(.destroy)
        observers.finish()
    }

    // MARK: What surfaces say

    @discardableResult
    func tell(_ input: AdInput) async -> AdError? {
        let misuse = take(input).misuse
        await ads.desk.settled()
        return misuse
    }

    /// Lets the machine decide, and does what it says.
    @discardableResult
    func take(_ input: AdInput, offer: AdOffer? = nil) -> AdStep {
        let step = inner.withLock { inner in
            let before = inner.machine
            let step = inner.machine.take(input)
            // Under the lock, so that trackers and events have the order of what happened.
            count(step, &inner, input)
            if case .filled = input, inner.machine != before { inner.offer = offer }
            apply(step, to: &inner)
            // Under the lock, so that what takes the ad away next finds every timer that it has to cancel.
            inner.timers += step.timers.map(timer)
            step.events.forEach(observers.yield)
            return step
        }
        if let load = step.load { start(load) }
        return step
    }

    private func count(_ step: AdStep, _ inner: inout Inner, _ input: AdInput) {
        guard let offer = inner.offer else { return }
        let code = step.fault.map { offer.trackerCode(of: $0, after: input) }
        for name in step.trackers {
            ads.desk.count(name, offer.trackers, &inner.budget, code: name == .error ? code : nil)
        }
    }

    private func apply(_ step: AdStep, to inner: inout Inner) {
        if step.drops || step.draws != nil {
            inner.timers.forEach { $0.cancel() }
            (inner.timers, inner.link, inner.passed, inner.show) = ([], AdLinkGuard(), [], nil)
            inner.budget = AdCallBudget()
        }
        if step.drops {
            inner.loading?.cancel()
            (inner.offer, inner.loading) = (nil, nil)
        }
        if let id = step.draws, inner.offer != nil { inner.show = id }
    }

    private func start(_ load: Int) {
        let (ads, unitID, format, size) = (ads, unitID, format, size)
        // Ends with the ad that it brings; whoever gives the ad up cancels it, and so does log-out.
        let task = ads.session.work.start { [weak self] in
            do throws(AdError) {
                var offer = try await ads.offer(unitID: unitID, format: format, size: size)
                offer.terms.adopt(refresh: self?.refreshInterval)
                self?.take(.filled(load, offer.terms), offer: offer)
            } catch {
                ads.session.log.operation("ads: no ad for \(unitID): \(error)")
                self?.take(.unfilled(load, error))
            }
        }
        let isWanted = inner.withLock { inner in
            if inner.machine.newest == load { inner.loading = task }
            return inner.machine.newest == load
        }
        // Given up before it could be noted.
        if !isWanted { task.cancel() }
    }

    private func timer(_ timer: AdStep.Timer) -> Task<Void, Never> {
        let clock = ads.session.clock
        // Ends with its time; whatever takes the ad away cancels it.
        return ads.session.work.start { [weak self] in
            guard (try? await clock.sleep(for: timer.delay)) != nil else { return }
            self?.take(timer.input)
        }
    }
}
