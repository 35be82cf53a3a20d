import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

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
    /// The format that the app expects; the server decides.
    public let format: AdFormat?
    /// The space that the app has, in points; the server decides.
    public let size: AdSize?
    let ads: Ads
    let inner = Locked(Inner())
    // An observer that does not read keeps the newest events only.
    private let observers = Observers<AdEvent>(.bufferingNewest(256))

    struct Inner: Sendable {
        var machine = AdMachine()
        /// The ad that is ready or on screen.
        var bid: AdBid?
        /// The number of what is drawn. Not the show itself: that holds the place, which would then hold itself.
        var show: Int?
        /// The load that is under way.
        var loading: Task<Void, Never>?
        var timers: [Task<Void, Never>] = []
        var link = AdLinkGuard()
        /// The places of the video whose trackers were called.
        var passed: Set<Int> = []
        /// The number of calls that the creative may still cause.
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

    /// The state of the placement.
    public var state: AdPlacement.State { inner.withLock { $0.machine.state } }

    /// The ad that is drawn; `nil` while none is to be on screen.
    @_spi(Inlay) public var current: AdShow? {
        inner.withLock { inner in
            guard let id = inner.show, let bid = inner.bid else { return nil }
            return AdShow(id: id, bid: bid, placement: self)
        }
    }

    /// The type of the ad that is ready or on screen.
    public var type: AdType? { inner.withLock { $0.bid?.terms.type } }

    /// Whether the user may close what is on screen.
    public var isClosable: Bool { inner.withLock { $0.machine.isClosable } }

    /// The time after which a banner requests the next ad when the server states none; `nil` (the default) keeps
    /// it, and less than 10 s becomes 10 s. Applies from the next load on.
    public var refreshInterval: Duration? {
        get { inner.withLock { $0.refreshInterval } }
        set { inner.withLock { $0.refreshInterval = newValue } }
    }

    /// Whether a banner's surface offers a close button; on by default. Ads over the whole page always do.
    public var showsCloseButton: Bool {
        get { inner.withLock { $0.showsCloseButton } }
        set { inner.withLock { $0.showsCloseButton = newValue } }
    }

    /// The events from now on, for any number of observers; each gets all. Ends with the session.
    public var events: AsyncStream<AdEvent> { observers.stream() }

    /// Asks the server for an ad and returns when it can be shown; at once when one is ready.
    ///
    /// A video's media file comes with it, so showing needs no network.
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
    /// - Returns: whether an event will report the outcome; none does where an ad is ready.
    /// - Throws: `notInitialized`, `loggedOut`, `busy`; nothing happened then, and no event reports it.
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
        await ads.trackerQueue.settled()
        observers.finish()
    }

    /// The app dropped the session: the same without waiting for what closing has to say.
    func release() {
        take(.destroy)
        observers.finish()
    }

    // MARK: What surfaces say

    @discardableResult
    func send(_ input: AdInput) async -> AdError? {
        let misuse = take(input).misuse
        await ads.trackerQueue.settled()
        return misuse
    }

    /// Lets the machine decide, and does what it says.
    @discardableResult
    func take(_ input: AdInput, bid: AdBid? = nil) -> AdStep {
        let step = inner.withLock { inner in
            let before = inner.machine
            let step = inner.machine.take(input)
            // Under the lock, so that trackers and events have the order of what happened.
            count(step, &inner, input)
            if case .filled = input, inner.machine != before { inner.bid = bid }
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
        guard let bid = inner.bid else { return }
        let code = step.fault.map { bid.trackerCode(of: $0, after: input) }
        for name in step.trackers {
            ads.trackerQueue.count(name, bid.trackers, &inner.budget, code: name == .error ? code : nil)
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
            (inner.bid, inner.loading) = (nil, nil)
        }
        if let id = step.draws, inner.bid != nil { inner.show = id }
    }

    private func start(_ load: Int) {
        let (ads, unitID, format, size) = (ads, unitID, format, size)
        // Ends with the ad or the failure; giving the ad up cancels it, and so does log-out.
        let task = ads.session.work.start { [weak self] in
            do throws(AdError) {
                var bid = try await ads.bid(unitID: unitID, format: format, size: size)
                bid.terms.adopt(refresh: self?.refreshInterval)
                self?.take(.filled(load, bid.terms), bid: bid)
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

extension AdPlacement {
    /// The state of an ad placement.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Nothing was asked for yet, or it was destroyed.
        case initial
        /// The server was asked.
        case loading
        /// A creative is there and waits to be shown.
        case ready
        /// The app asked to show it, and nothing of it is on screen yet.
        case showing
        /// It is on screen, or was since; this is the impression.
        case shown
        /// It was shown and is gone. Load again for another.
        case closed
        /// It could not be loaded or shown. Load again for another.
        case failed
        /// It waited too long to be shown. Load again for another.
        case expired

        /// Whether a creative is, or is about to be, in front of the user.
        public var isDisplayed: Bool { self == .showing || self == .shown }
    }
}
