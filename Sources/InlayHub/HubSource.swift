import Foundation
import InlayCore
import InlayWire

/// A started hub: one content source in one session.
final class HubSource: Sendable {
    let parts: HubParts
    let users: HubUsers
    let metrics: HubMetrics
    let stage = HubStage()
    let updater: HubUpdater
    let announcer: HubAnnouncer
    private let box: Locked<HubSettings>
    private let preload = Locked<Task<Void, Never>?>(nil)
    let expiry = Locked<Task<Void, Never>?>(nil)

    var session: SessionContext { parts.session }
    var board: HubBoard { parts.board }
    var policies: HubPolicies { parts.policies }
    var library: HubLibrary { parts.library }

    init(_ parts: HubParts, users: HubUsers, settings: Locked<HubSettings>) {
        self.parts = parts
        self.users = users
        box = settings
        updater = HubUpdater(parts)
        announcer = HubAnnouncer(parts) { (try? users.activeCounts) ?? HubTagCounts() }
        metrics = HubMetrics(
            parts.configuration.metrics, session: parts.session, user: { try? users.active },
            advertiser: { settings.withLock { $0.advertiser }.current })
    }

    var settings: HubSettings { box.withLock { $0 } }

    /// What pages may reach now.
    var access: HubAccess {
        let settings = settings
        return HubAccess(
            contentSource: settings.contentSource, allowed: settings.allowed, policy: policies.current)
    }

    /// Takes up what is on the disk, and starts the work that ends with the session.
    func start() {
        library.listener = HubLibrary.Listener(
            damaged: { [weak self] in self?.damaged($0) },
            activated: { [weak self] in self?.activated($0) },
            policyChanged: { [weak self] in self?.policyChanged() },
            progressed: { [weak self] in self?.progressed($0) })
        library.open()
        refreshFreshness()
        policyChanged()
        // Ends when the app's own version was looked at.
        preload.withLock { $0 = session.work.start { [weak self] in await self?.loadPreload() } }
        let metrics = metrics
        let ready = session.work.prepare { await metrics.register() }
        session.work.start {
            await ready.value
            await metrics.run()
        }
        // Both end with the session.
        session.work.start { [weak self] in await self?.follow() }
    }

    /// Returns when the app's own version is in use, or turned out to be of no use.
    func preloaded() async { await preload.withLock { $0 }?.value }

    /// Throws what is wrong with showing a page of a version.
    func check(_ page: HubReference, in content: HubContent) throws(HubError) {
        guard content.item(page) != nil else { throw .unknownAddress(page.uri) }
        if page.kind == .article, policies.recalled.contains(page.id) { throw .recalled(page.id) }
    }

    /// The rules for what a presentation begins with.
    func tailoring(for request: HubRequest) -> HubTailoring {
        if case .tags(let tags) = request { return HubTailoring(tags: tags) }
        // A reader whose tags cannot be read sees what a new one sees.
        return HubTailoring((try? users.activeCounts) ?? HubTagCounts())
    }

    /// What was read counts for the active user.
    func earn(_ tags: [String]) {
        do { try users.earn(tags) } catch {
            parts.log.write(.warning, .debug, "hub: what was read could not be counted: \(error)")
        }
    }

    /// The content to show, or why there is none to show.
    func usableContent() throws(HubError) -> HubContent {
        if policies.isDisabled { throw .disabled(reason: policies.current?.disabledReason) }
        guard let content = library.content else { throw .noContent }
        if let manifest = library.manifest, isBlocked(manifest) { throw .stale }
        return content
    }

    /// Updates, and tells the app and whoever waits of the outcome.
    @discardableResult
    func update() async -> Result<HubContent, HubError> {
        let result = await updater.update()
        refreshFreshness()
        if case .failure(let error) = result, error != .cancelled {
            parts.log.write(.error, .debug, "hub: update failed: \(error)")
            board.tell(.updateFailed(error))
        }
        return result
    }

    private func damaged(_ path: String) {
        parts.log.write(.error, .debug, "hub: \(path) was damaged on disk and is fetched again")
        // Ends with the update.
        session.work.start { [weak self] in await self?.update() }
    }

    private func activated(_ content: HubContent) {
        learnTime(of: content)
        stage.current?.contentArrived(content)
        let announcer = announcer
        // Ends when the system has them.
        session.work.start { await announcer.follow(content.index) }
    }

    /// A publisher's date is a time that has come. One beyond the version's own end is a mistake, which must
    /// not make everything that follows look old.
    private func learnTime(of content: HubContent) {
        guard content.index.publishedAt < content.manifest.expires else { return }
        parts.time.learn(content.index.publishedAt)
    }

    private func progressed(_ percent: Double) {
        board.change { $0.progress = percent }
        stage.current?.wait(percent: percent)
    }

    private func policyChanged() {
        let (isDisabled, reason) = (policies.isDisabled, policies.current?.disabledReason)
        board.change { state in
            state.isDisabled = isDisabled
            state.disabledReason = isDisabled ? reason : nil
        }
        let announcer = announcer
        if isDisabled { session.work.start { await announcer.callOff() } }
        guard let shown = stage.current else { return }
        if isDisabled {
            shown.fail(.disabled(reason: reason))
            _ = leave(shown)
        } else {
            shown.dropRecalled()
        }
    }
}
