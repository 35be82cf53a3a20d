import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// A started hub: one content source in one session.
final class HubSource: Sendable {
    let context: HubContext
    let users: HubUsers
    let metrics: HubMetrics
    let presentationSlot = HubPresentationSlot()
    let updater: HubUpdater
    let announcer: HubAnnouncer
    private let lockedSettings: Locked<HubSettings>
    private let preload = Locked<Task<Void, Never>?>(nil)
    let expiry = Locked<Task<Void, Never>?>(nil)

    var session: SessionContext { context.session }
    var stateObservers: HubStateObservers { context.stateObservers }
    var policies: HubPolicies { context.policies }
    var library: HubLibrary { context.library }

    init(_ context: HubContext, users: HubUsers, settings: Locked<HubSettings>) {
        self.context = context
        self.users = users
        lockedSettings = settings
        updater = HubUpdater(context)
        announcer = HubAnnouncer(context) { (try? users.activeCounts) ?? HubTagCounts() }
        metrics = HubMetrics(
            context.configuration.metrics, session: context.session, user: { try? users.active },
            advertiser: { settings.withLock { $0.advertiser }.current })
    }

    var settings: HubSettings { lockedSettings.withLock { $0 } }

    /// The current rules for requests of pages and for links.
    var access: HubAccess {
        let settings = settings
        return HubAccess(
            contentSource: settings.contentSource, allowed: settings.allowed, policy: policies.current)
    }

    /// Opens the content on disk, and starts the work that ends with the session.
    func start() {
        library.listener = HubLibrary.Listener(
            damaged: { [weak self] in self?.damaged($0) },
            activated: { [weak self] in self?.activated($0) },
            policyChanged: { [weak self] in self?.policyChanged() },
            progressed: { [weak self] in self?.progressed($0) })
        library.open()
        refreshFreshness()
        policyChanged()
        // Ends when the app's own version was loaded or refused.
        preload.withLock { $0 = session.work.start { [weak self] in await self?.loadPreload() } }
        let metrics = metrics
        let ready = session.work.prepare { await metrics.register() }
        session.work.start {
            await ready.value
            await metrics.run()
        }
        // This task and the one above end with the session.
        session.work.start { [weak self] in await self?.follow() }
    }

    /// Returns when the app's own version is in use or was refused.
    func preloaded() async { await preload.withLock { $0 }?.value }

    /// Throws `unknownAddress` or `recalled` when a page of a version cannot be shown.
    func check(_ page: HubReference, in content: HubContent) throws(HubError) {
        guard content.item(page) != nil else { throw .unknownAddress(page.uri) }
        if page.kind == .article, policies.recalled.contains(page.id) { throw .recalled(page.id) }
    }

    /// Returns the rules that choose the first page of a presentation.
    func tailoring(for request: HubRequest) -> HubTailoring {
        if case .tags(let tags) = request { return HubTailoring(tags: tags) }
        // A user whose tags cannot be read sees the same as a new one.
        return HubTailoring((try? users.activeCounts) ?? HubTagCounts())
    }

    /// Counts the tags of an item that was read for the active user.
    func incrementTagCounts(_ tags: [String]) {
        do { try users.incrementTagCounts(tags) } catch {
            context.log.write(.warning, .debug, "hub: what was read could not be counted: \(error)")
        }
    }

    /// Returns the content to show; throws `disabled`, `noContent` or `stale`.
    func usableContent() throws(HubError) -> HubContent {
        if policies.isDisabled { throw .disabled(reason: policies.current?.disabledReason) }
        guard let content = library.content else { throw .noContent }
        if let manifest = library.manifest, isBlocked(manifest) { throw .stale }
        return content
    }

    /// Updates, and reports the outcome to the app and to the caller.
    @discardableResult
    func update() async -> Result<HubContent, HubError> {
        let result = await updater.update()
        refreshFreshness()
        if case .failure(let error) = result, error != .cancelled {
            context.log.write(.error, .debug, "hub: update failed: \(error)")
            stateObservers.publish(.updateFailed(error))
        }
        return result
    }

    private func damaged(_ path: String) {
        context.log.write(.error, .debug, "hub: \(path) was damaged on disk and is fetched again")
        // Ends with the update.
        session.work.start { [weak self] in await self?.update() }
    }

    private func activated(_ content: HubContent) {
        learnTime(of: content)
        presentationSlot.current?.contentArrived(content)
        announcer.follow(content.index)
    }

    /// Learns that the publisher's date has passed. A date after the version's own expiry is a mistake, which must not
    /// make everything that follows look old.
    private func learnTime(of content: HubContent) {
        guard content.index.publishedAt < content.manifest.expires else { return }
        context.time.learn(content.index.publishedAt)
    }

    private func progressed(_ percent: Double) {
        stateObservers.change { $0.progress = percent }
        presentationSlot.current?.wait(percent: percent)
    }

    private func policyChanged() {
        let (isDisabled, reason) = (policies.isDisabled, policies.current?.disabledReason)
        stateObservers.change { state in
            state.isDisabled = isDisabled
            state.disabledReason = isDisabled ? reason : nil
        }
        if isDisabled { announcer.cancelAll() }
        guard let shown = presentationSlot.current else { return }
        if isDisabled {
            shown.fail(.disabled(reason: reason))
            _ = leave(shown)
        } else {
            shown.dropRecalled()
        }
    }
}

/// The slot for the one presentation that can be on screen.
final class HubPresentationSlot: Sendable {
    private let presentation = Locked<HubPresentation?>(nil)

    /// The presentation on screen.
    var current: HubPresentation? { presentation.withLock { $0 } }

    /// Puts a hub on screen; false when there is one.
    func enter(_ new: HubPresentation) -> Bool {
        presentation.withLock { current in
            guard current == nil else { return false }
            current = new
            return true
        }
    }

    /// Takes a hub off screen; false when it is not on it.
    func leave(_ old: HubPresentation) -> Bool {
        presentation.withLock { current in
            guard current === old else { return false }
            current = nil
            return true
        }
    }
}
