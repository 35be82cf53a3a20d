import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The versions on this device: the one in use, and older ones that somebody still reads.
final class HubLibrary: Sendable {
    private struct Reader: Sendable {
        weak var content: HubContent?
    }

    private struct State {
        var manifest: HubManifest?
        var content: HubContent?
        var readers: [Reader] = []
        var listener = Listener()
        /// Updates under way; what they have fetched belongs to no version yet.
        var updates = 0
        /// Whether a version came into use since files were deleted last. Else what is in no version was
        /// left by an interrupted update, and the next one goes on with it.
        var isPruneDue = false
    }

    /// The receiver of the library's changes.
    struct Listener: Sendable {
        /// A file was refused when it was handed out.
        var damaged: @Sendable (String) -> Void = { _ in }
        /// Another version is in use.
        var activated: @Sendable (HubContent) -> Void = { _ in }
        /// The publisher's policy was looked at.
        var policyChanged: @Sendable () -> Void = {}
        /// A download came on, in percent.
        var progressed: @Sendable (Double) -> Void = { _ in }
    }

    let blobs: HubBlobs
    private let versionsOnDisk: HubVersions
    private let limits: HubLimits
    private let stateObservers: HubStateObservers
    private let log: HubLog
    private let now: @Sendable () -> Timestamp
    private let state = Locked(State())
    private let switching = NSLock()

    init(
        _ folder: URL, limits: HubLimits, stateObservers: HubStateObservers, log: HubLog,
        now: @escaping @Sendable () -> Timestamp
    ) throws(HubError) {
        blobs = try HubBlobs(folder)
        versionsOnDisk = try HubVersions(folder)
        (self.limits, self.stateObservers, self.log, self.now) = (limits, stateObservers, log, now)
    }

    /// The receiver of the library's changes; set before `open`.
    var listener: Listener {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }

    /// The version in use, as its files are listed; it may have lost some since.
    var manifest: HubManifest? { state.withLock { $0.manifest } }

    /// The version in use; `nil` when there is none, or its index was damaged.
    var content: HubContent? { state.withLock { $0.content } }

    /// Takes up the version that an earlier run left.
    func open() {
        guard let manifest = versionsOnDisk.current() else { return }
        state.withLock { $0.manifest = manifest }
        do throws(HubError) {
            take(try read(manifest), manifest)
        } catch {
            log.write(.error, .debug, "hub: the stored version cannot be read: \(error)")
        }
    }

    /// Makes a version the one in use; all its files are on the disk. With `onlyNewer` a version that is not
    /// newer than the one in use changes nothing.
    @discardableResult
    func activate(_ manifest: HubManifest, onlyNewer: Bool = false) throws(HubError) -> HubContent {
        // One switch at a time, from the look at the old version to the pointer.
        switching.lock()
        defer { switching.unlock() }
        let (known, content) = state.withLock { ($0.manifest, $0.content) }
        if onlyNewer, let known, let content, known.version >= manifest.version { return content }
        // What memory holds is kept only if the disk still has it.
        if known == manifest, let content, versionsOnDisk.current() == manifest { return content }
        if let content, known?.files == manifest.files, known?.version == manifest.version {
            // The same files with a younger word on them.
            try versionsOnDisk.activate(manifest)
            state.withLock { $0.manifest = manifest }
            refreshFreshness()
            return content
        }
        let new = try read(manifest)
        guard !new.index.hubs.elements.isEmpty else { throw .noHub }
        try versionsOnDisk.activate(manifest)
        take(new, manifest)
        log.write(.info, .info, "hub: version \(manifest.version) is in use")
        state.withLock { $0.isPruneDue = true }
        listener.activated(new)
        return new
    }

    /// Publishes how sure the version in use is the newest; returns the moment at which that changes by the
    /// clock alone, and the moment of this look.
    @discardableResult
    func refreshFreshness() -> (expires: Timestamp, now: Timestamp)? {
        var next: (Timestamp, Timestamp)?
        stateObservers.change { state in
            // Read inside the change: a look that began before another version came must not end after it.
            guard content != nil, let manifest else { return }
            let now = now()
            state.freshness = manifest.freshness(at: now)
            next = state.freshness == .fresh ? (manifest.expires, now) : nil
        }
        return next
    }

    /// An update begins: until its end nothing is deleted, for it may need what no version needs yet.
    func begin() { state.withLock { $0.updates += 1 } }

    /// An update ended, whatever came of it.
    func end() {
        state.withLock { $0.updates -= 1 }
        prune()
    }

    /// Deletes what no version in use needs: called when an update ended, and when a reader went.
    func prune() {
        // Under the lock, so that no version comes into use while its files are looked at.
        state.withLock { state in
            guard state.updates == 0, state.isPruneDue, let manifest = state.manifest else { return }
            state.readers.removeAll { $0.content == nil }
            // As long as an older version is read, its files have yet to go.
            state.isPruneDue = state.readers.count > 1
            let read = state.readers.compactMap(\.content).reduce(into: manifest.hashes) {
                $0.formUnion($1.manifest.hashes)
            }
            blobs.prune(keeping: read)
            versionsOnDisk.prune()
        }
    }

    private func take(_ content: HubContent, _ manifest: HubManifest) {
        state.withLock { state in
            state.manifest = manifest
            state.content = content
            state.readers.append(Reader(content: content))
        }
        let freshness = manifest.freshness(at: now())
        // In one change: nobody may see content of which it is not known whether it is stale.
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
