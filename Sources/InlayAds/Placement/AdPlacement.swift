import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

/// A placement of an ad unit in the app: loads ads and shows them, one at a time, as often as the app likes.
///
/// ```swift
/// try await placement.load()      // no ad is on screen, nothing is counted
/// try placement.show()            // the surface of the placement draws the ad
/// ```
/// All methods may be called from any thread. The placement ends when the app releases it.
public final class AdPlacement: Sendable {
    /// The ad unit's id, from the Workbench.
    public let unitID: String
    /// The format that the app expects; the server decides.
    public let format: AdFormat?
    /// The space that the app has, in points; the server decides.
    public let size: AdSize?
    let ads: Ads
    let inner = Locked(Inner())
    // For an observer that does not read, only the newest events are kept.
    private let observers = Observers<AdEvent>(.bufferingNewest(256))

    struct Inner: Sendable {
        var machine = AdMachine()
        /// The ad that is ready or on screen.
        var bid: AdBid?
        /// The id of the ad that is drawn. An `AdShow` in its place would retain the placement: a reference cycle.
        var show: Int?
        /// The running load.
        var loading: Task<Void, Never>?
        var timers: [Task<Void, Never>] = []
        var link = AdLinkGuard()
        /// The indexes of the progress trackers that were called.
        var calledProgressTrackers: Set<Int> = []
        /// The limit on the calls to the creative's trackers.
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

    /// The ad that the surface draws; `nil` while no ad is shown.
    @_spi(Inlay) public var current: AdShow? {
        inner.withLock { inner in
            guard let id = inner.show, let bid = inner.bid else { return nil }
            return AdShow(id: id, bid: bid, placement: self)
        }
    }

    /// The type of the ad that is ready or on screen.
    public var type: AdType? { inner.withLock { $0.bid?.terms.type } }

    /// Whether the user may close the ad that is on screen.
    public var isClosable: Bool { inner.withLock { $0.machine.isClosable } }

    /// The time after which a banner requests the next ad when the server states none; `nil` (the default) requests
    /// none, and less than 10 s becomes 10 s. Applies from the next load on.
    public var refreshInterval: Duration? {
        get { inner.withLock { $0.refreshInterval } }
        set { inner.withLock { $0.refreshInterval = newValue } }
    }

    /// Whether a banner's surface offers a close button; `true` by default. Ads over the whole page always have one.
    public var showsCloseButton: Bool {
        get { inner.withLock { $0.showsCloseButton } }
        set { inner.withLock { $0.showsCloseButton = newValue } }
    }

    /// A stream of the events from now on. Each call returns another stream of all events. Ends with the session.
    public var events: AsyncStream<AdEvent> { observers.stream() }

    /// Requests an ad and returns when it can be shown; at once when an ad is ready.
    ///
    /// The media file of a video is downloaded too, so showing needs no network.
    /// Concurrent callers wait for the same load. A caller that is cancelled stops waiting, but the load continues.
    ///
    /// - Throws: the error of `AdEvent.loadFailed`; `busy` while an ad is on screen; `notInitialized`, `loggedOut`,
    ///   `destroyed`, `cancelled`.
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

    /// Starts a load without waiting for it, so that calls keep their order: a later `destroy()` cancels this load.
    ///
    /// - Returns: whether an event will report the result. There is none when an ad is ready.
    /// - Throws: `notInitialized`, `loggedOut`, `busy`; no load was started then, and no event reports the error.
    package func beginLoad() throws(AdError) -> Bool {
        guard ads.isInitialized else { throw .notInitialized }
        guard ads.session.isActive else { throw .loggedOut }
        let step = take(.load)
        if let misuse = step.misuse { throw misuse }
        return step.load != nil || state != .ready
    }

    /// Shows the loaded ad at once, without a request to the server. Allowed once for each load.
    ///
    /// - Throws: `notLoaded`, `alreadyShown`, `expired`; the state is unchanged then.
    public func show() throws(AdError) {
        if let misuse = take(.show).misuse { throw misuse }
    }

    /// Takes the ad off screen even while it is locked, for example when the app's page closes.
    public func dismiss() { take(.dismiss) }

    /// Cancels a load and releases the ad, in whatever state. The placement can be used again.
    public func destroy() { take(.destroy) }

    /// Ends the placement at the log-out: destroys its ad, stores the trackers of closing, and ends the events.
    func end() async {
        take(.destroy)
        await ads.trackerQueue.settled()
        observers.finish()
    }

    /// Ends the placement when the app released the session, without waiting until the trackers are stored.
    func release() {
        take(.destroy)
        observers.finish()
    }

    // MARK: Inputs

    @discardableResult
    func send(_ input: AdInput) async -> AdError? {
        let misuse = take(input).misuse
        await ads.trackerQueue.settled()
        return misuse
    }

    /// Passes an input to the state machine and applies its effects.
    @discardableResult
    func take(_ input: AdInput, bid: AdBid? = nil) -> AdStep {
        let step = inner.withLock { inner in
            let before = inner.machine
            let step = inner.machine.take(input)
            // Under the lock, so that trackers and events have the order of the inputs.
            count(step, &inner, input)
            if case .loaded = input, inner.machine != before { inner.bid = bid }
            apply(step, to: &inner)
            // Under the lock, so that the next input that ends the ad cancels these timers too.
            inner.timers += step.timers.map(timer)
            step.events.forEach(observers.yield)
            return step
        }
        if let load = step.load { start(load) }
        return step
    }

    private func count(_ step: AdStep, _ inner: inout Inner, _ input: AdInput) {
        guard let bid = inner.bid else { return }
        let code = step.error.map { bid.trackerCode(of: $0, after: input) }
        for name in step.trackers {
            ads.trackerQueue.enqueue(
                name, of: bid.trackers, &inner.budget, code: name == .error ? code : nil)
        }
    }

    private func apply(_ step: AdStep, to inner: inout Inner) {
        if step.releasesAd || step.drawnLoad != nil {
            inner.timers.forEach { $0.cancel() }
            (inner.timers, inner.link, inner.calledProgressTrackers, inner.show) = (
                [], AdLinkGuard(), [], nil
            )
            inner.budget = AdCallBudget()
        }
        if step.releasesAd {
            inner.loading?.cancel()
            (inner.bid, inner.loading) = (nil, nil)
        }
        if let id = step.drawnLoad, inner.bid != nil { inner.show = id }
    }

    private func start(_ load: Int) {
        let (ads, unitID, format, size) = (ads, unitID, format, size)
        // Ends with the ad or the failure; `destroy` and log-out cancel it.
        let task = ads.session.work.start { [weak self] in
            do throws(AdError) {
                var bid = try await ads.bid(unitID: unitID, format: format, size: size)
                bid.terms.adopt(refresh: self?.refreshInterval)
                self?.take(.loaded(load, bid.terms), bid: bid)
            } catch {
                ads.session.log.operation("ads: no ad for \(unitID): \(error)")
                self?.take(.loadFailed(load, error))
            }
        }
        let isWanted = inner.withLock { inner in
            if inner.machine.newest == load { inner.loading = task }
            return inner.machine.newest == load
        }
        // The load was replaced or destroyed before its task was stored.
        if !isWanted { task.cancel() }
    }

    private func timer(_ timer: AdStep.Timer) -> Task<Void, Never> {
        let clock = ads.session.clock
        // Ends after its delay; an input that ends the ad cancels it.
        return ads.session.work.start { [weak self] in
            guard (try? await clock.sleep(for: timer.delay)) != nil else { return }
            self?.take(timer.input)
        }
    }
}

extension AdPlacement {
    /// The state of an ad placement.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// No ad was loaded yet, or the ad was destroyed.
        case initial
        /// An ad is being loaded.
        case loading
        /// An ad is loaded and can be shown.
        case ready
        /// The app called `show`, and nothing of the ad is on screen yet.
        case showing
        /// The ad has been on screen: the impression has happened.
        case shown
        /// The ad was shown and closed. Load again for another.
        case closed
        /// The ad could not be loaded or shown. Load again for another.
        case failed
        /// The ad was not shown within its lifetime. Load again for another.
        case expired

        /// Whether an ad is on screen or about to be.
        public var isDisplayed: Bool { self == .showing || self == .shown }
    }
}
