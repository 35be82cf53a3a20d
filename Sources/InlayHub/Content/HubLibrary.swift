import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The versions on this device: the one in use, and older ones that are still being read.
final class HubLibrary: Sendable {
    private struct Reader: Sendable {
        weak var content: HubContent?
    }

    private struct State {
        var manifest: HubManifest?
        var content: HubContent?
        var readers: [Reader] = []
        var listener = Listener()
        /// The number of updates in progress; the files that they have fetched belong to no version yet.
        var updates = 0
        /// Whether a version was activated since files were last deleted. Otherwise, files of no version were left
        /// by an interrupted update, and the next update continues with them.
        var isPruneDue = false
    }

    /// The handlers of the library's changes.
    struct Listener: Sendable {
        /// Called with the path of a file that failed its verification when it was read.
        var damaged: @Sendable (String) -> Void = { _ in }
        /// Called when another version has come into use.
        var activated: @Sendable (HubContent) -> Void = { _ in }
        /// Called when a policy of the publisher was accepted.
        var policyChanged: @Sendable () -> Void = {}
        /// Called with the progress of a download in percent.
        var progressed: @Sendable (Double) -> Void = { _ in }
    }

    let blobs: HubBlobs
    private let versionsOnDisk: HubVersions
    private let limits: HubLimits
    private let stateObservers: HubStateObservers
    private let log: HubLog
    private let now: @Sendable () -> Timestamp
    private let state = Locked(State())
    private let activationLock = NSLock()

    init(
        _ folder: URL, limits: HubLimits, stateObservers: HubStateObservers, log: HubLog,
        now: @escaping @Sendable () -> Timestamp
    ) throws(HubError) {
        blobs = try HubBlobs(folder)
        versionsOnDisk = try HubVersions(folder)
        (self.limits, self.stateObservers, self.log, self.now) = (limits, stateObservers, log, now)
    }

    /// The handlers of the library's changes; set before `open`.
    var listener: Listener {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }

    /// The list of files of the version in use; some of the files may since be missing on disk.
    var manifest: HubManifest? { state.withLock { $0.manifest } }

    /// The content of the version in use; `nil` when there is none, or its index was damaged.
    var content: HubContent? { state.withLock { $0.content } }

    /// Loads the version that was in use in an earlier run.
    func open() {
        guard let manifest = versionsOnDisk.current() else { return }
        state.withLock { $0.manifest = manifest }
        do throws(HubError) {
            setCurrent(try read(manifest), manifest)
        } catch {
            log.write(.error, .debug, "hub: the stored version cannot be read: \(error)")
        }
    }

    /// Brings a version whose files are all on disk into use, and returns the content in use. With `onlyNewer`, a
    /// version that is not newer than the one in use is ignored.
    @discardableResult
    func activate(_ manifest: HubManifest, onlyNewer: Bool = false) throws(HubError) -> HubContent {
        // One activation at a time, from reading the old version to storing the new one as the current.
        activationLock.lock()
        defer { activationLock.unlock() }
        let (known, content) = state.withLock { ($0.manifest, $0.content) }
        if onlyNewer, let known, let content, known.version >= manifest.version { return content }
        // The content in memory is reused only if its version is still the current one on disk.
        if known == manifest, let content, versionsOnDisk.current() == manifest { return content }
        if let content, known?.files == manifest.files, known?.version == manifest.version {
            // The same files with a newer timestamp.
            try versionsOnDisk.activate(manifest)
            state.withLock { $0.manifest = manifest }
            refreshFreshness()
            return content
        }
        let new = try read(manifest)
        guard !new.index.hubs.elements.isEmpty else { throw .noHub }
        try versionsOnDisk.activate(manifest)
        setCurrent(new, manifest)
        log.write(.info, .info, "hub: version \(manifest.version) is in use")
        state.withLock { $0.isPruneDue = true }
        listener.activated(new)
        return new
    }

    /// Updates the published freshness of the version in use. Returns the time at which a fresh version becomes
    /// stale, and the current time; `nil` when it is stale or there is no version.
    @discardableResult
    func refreshFreshness() -> (expires: Timestamp, now: Timestamp)? {
        var next: (Timestamp, Timestamp)?
        stateObservers.change { state in
            // Read inside the change, so that a call that began before another version was activated cannot overwrite
            // its freshness.
            guard content != nil, let manifest else { return }
            let now = now()
            state.freshness = manifest.freshness(at: now)
            next = state.freshness == .fresh ? (manifest.expires, now) : nil
        }
        return next
    }

    /// Records that an update begins. Nothing is deleted until its end, because it may need files of no version.
    func begin() { state.withLock { $0.updates += 1 } }

    /// Records that an update ended, whether it succeeded or not, and deletes unused files.
    func end() {
        state.withLock { $0.updates -= 1 }
        prune()
    }

    /// Deletes the files that no version in use needs. Called when an update has ended, and when a reader was released.
    func prune() {
        // Under the lock, so that no version comes into use while the unused files are determined.
        state.withLock { state in
            guard state.updates == 0, state.isPruneDue, let manifest = state.manifest else { return }
            state.readers.removeAll { $0.content == nil }
            // The files of an older version that is still read must be deleted later.
            state.isPruneDue = state.readers.count > 1
            let needed = state.readers.compactMap(\.content).reduce(into: manifest.hashes) {
                $0.formUnion($1.manifest.hashes)
            }
            blobs.prune(keeping: needed)
            versionsOnDisk.prune()
        }
    }

    private func setCurrent(_ content: HubContent, _ manifest: HubManifest) {
        state.withLock { state in
            state.manifest = manifest
            state.content = content
            state.readers.append(Reader(content: content))
        }
        let freshness = manifest.freshness(at: now())
        // In one change, so that no observer sees content without its freshness.
        stateObservers.change { state in
            state.version = content.version
            state.isReady = true
            state.freshness = freshness
        }
    }

    private func read(_ manifest: HubManifest) throws(HubError) -> HubContent {
        try HubContent(manifest, blobs: blobs, limits: limits) { [weak self] path in
            self?.listener.damaged(path)
        }
    }
}
