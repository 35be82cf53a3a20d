public import Foundation
@_spi(Inlay) import InlayWire

/// A client that follows a repository of signed content, in the order of section 5 of the TUF specification.
///
/// Every call leaves the store with metadata that was verified, as the exact bytes received; an error leaves what was
/// trusted before. One update or search runs at a time, and others wait for it; downloads run concurrently.
@_spi(Inlay) public actor TrustClient {
    let store: any TrustMetadataStore
    let limits: TrustLimits
    let clock: any TrustClock
    let fetchers: [any TrustFetcher]
    let mirrors: Mirrors
    /// The root the app or the operator gave; what is stored must chain from it.
    let anchor: Signed<RootRole>?
    var state: TrustState?
    /// Whether the state came from the store alone, so that searches stay there too.
    var isOffline = false
    /// The roles that were read since the last update, for its searches.
    var roles: [[UInt8]: KnownRole] = [:]
    private let semaphore = AsyncSemaphore()

    /// A client of one repository.
    ///
    /// - Parameters:
    ///   - anchor: The root metadata the app carries. Without one, `trust` must have been called once on
    ///     the store.
    ///   - store: Where trusted metadata is kept; no two clients may use one store at a time.
    ///   - mirrors: The repository's mirrors, the preferred one first. Empty for a client that only reads its store.
    ///   - limits: Limits on the work that the repository may cause.
    ///   - clock: The clock for expiry dates and slow downloads.
    /// - Throws: `format` or `signature` when the anchor is no root signed by its own keys.
    public init(
        anchor: Data? = nil, store: any TrustMetadataStore, mirrors: [any TrustFetcher],
        limits: TrustLimits = TrustLimits(), clock: any TrustClock = SystemTrustClock()
    ) throws(TrustError) {
        self.anchor = try anchor.map { bytes throws(TrustError) in try Self.anchor(bytes, limits) }
        (self.store, self.limits, self.clock) = (store, limits, clock)
        fetchers = mirrors
        self.mirrors = Mirrors(mirrors, limits: limits, clock: clock)
    }

    /// Starts trust from a root file that the caller vouches for; forgets everything trusted before.
    public func trust(root bytes: Data) async throws(TrustError) {
        let root = try Self.anchor(bytes, limits)
        try await semaphore.withPermit { () throws(TrustError) in
            state = nil
            // First, so that an interruption never leaves the old root without the versions seen under it.
            try await write(root.bytes, .role("root"))
            try await remove(.nextRoot)
            for role in [TopLevelRole.timestamp, .snapshot, .targets] {
                try await remove(.role(role.rawValue))
            }
        }
    }

    /// Brings all top-level metadata up to date (5.1 to 5.6).
    @discardableResult
    public func refresh() async throws(TrustError) -> TrustedMetadata {
        try await semaphore.withPermit { () throws(TrustError) in try await update() }
    }

    /// Returns the stored metadata, verified again without the network and whatever its age.
    ///
    /// For content that is shown offline: check `expired(at:)` before presenting it as fresh. Throws `notFound` when no
    /// update has succeeded yet, and the reason when the stored metadata does not verify.
    public func stored() async throws(TrustError) -> TrustedMetadata {
        try await semaphore.withPermit { () throws(TrustError) in
            try await loadStored()
            return try trusted()
        }
    }

    /// Finds a target in the top-level role and those it delegates to (5.6.7).
    ///
    /// Uses the metadata of the last `refresh` or `stored`, refreshing first when there was neither; after
    /// `stored` the search stays on the device.
    public func target(_ path: String) async throws(TrustError) -> TargetFile {
        try await semaphore.withPermit { () throws(TrustError) in
            if state?.targets == nil { _ = try await update() }
            return try await search(path)
        }
    }

    /// Downloads a target into memory, verified (5.7). Several downloads may run at once.
    public nonisolated func data(of target: TargetFile) async throws(TrustError) -> Data {
        try await stream(target) { TargetMemorySink(target) }
    }

    /// Downloads a target into a file, which appears only when it is verified and on disk (5.7). Several
    /// downloads may run at once.
    public nonisolated func download(_ target: TargetFile, to file: URL) async throws(TrustError) {
        try await stream(target) { () throws(TrustError) in try TargetFileSink(target, to: file) }
    }

    /// Outside the actor, so that hashing one file does not block other callers.
    private nonisolated func stream<Value: Sendable>(
        _ target: TargetFile, begin: () throws(TrustError) -> any DownloadSink<Value>
    ) async throws(TrustError) -> Value {
        guard target.length <= limits.targetBytes else {
            throw TrustError(
                .endlessData, "\(target.length) bytes, at most \(limits.targetBytes) are taken",
                file: target.path)
        }
        let (isConsistent, order) = await downloadSettings
        let path = target.publishedPath(consistent: isConsistent)
        let mirrors = Mirrors(fetchers, limits: limits, clock: clock, order: order)
        let result: Result<Value, TrustError>
        do throws(TrustError) {
            result = .success(
                try await mirrors.stream(.target(path, maximumBytes: target.length), begin: begin))
        } catch {
            result = .failure(error)
        }
        if mirrors.order != order { await remember(mirrors.order) }
        return try result.get()
    }

    private var downloadSettings: (isConsistent: Bool, order: [Int]) {
        (state?.root.content.consistentSnapshot ?? true, mirrors.order)
    }

    private func remember(_ order: [Int]) { mirrors.remember(order) }

    private static func anchor(_ bytes: Data, _ limits: TrustLimits) throws(TrustError) -> Signed<RootRole> {
        do throws(TrustError) {
            guard bytes.count <= limits.rootBytes else {
                throw TrustError(.endlessData, "\(bytes.count) bytes")
            }
            let root = try Signed<RootRole>(bytes: bytes)
            _ = try TrustState(root: root, start: Timestamp(microseconds: 0))
            return root
        } catch { throw error.about("root") }
    }

    func trusted() throws(TrustError) -> TrustedMetadata {
        guard let state, let timestamp = state.timestamp, let snapshot = state.snapshot,
            let targets = state.targets
        else { throw TrustError(.notFound, "no update has succeeded yet") }
        return TrustedMetadata(root: state.root, timestamp: timestamp, snapshot: snapshot, targets: targets)
    }
}

/// A lock that admits one caller at a time, in the order of arrival, and is held across awaits.
///
/// An actor alone lets others in at every `await`: two updates would then compare with and write to a
/// store that the other is changing.
private final class AsyncSemaphore {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func withPermit<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(TrustError) -> sending Value
    ) async throws(TrustError) -> sending Value {
        if isHeld {
            await withCheckedContinuation { waiting.append($0) }
        }
        isHeld = true
        defer {
            // Passed on without being released: a waiting caller comes before a new one.
            if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}

extension TrustClient {
    /// Finds a target, and downloads it into a folder unless the right file is there already.
    ///
    /// The file's name is the whole target path, percent-encoded, so that no path can leave the folder. Returns the
    /// file. Partial files that killed downloads left in the folder are removed first.
    public func download(_ path: String, into folder: URL) async throws(TrustError) -> URL {
        PartialFile.removeAbandoned(in: folder)
        let target = try await target(path)
        let file = folder.appendingPathComponent(FileName.safe(path))
        if let existing = try? Data(contentsOf: file, options: .mappedIfSafe),
            (try? target.verify(existing)) != nil
        {
            return file
        }
        try await download(target, to: file)
        return file
    }
}

/// The metadata of a targets role that was read since the last update, and the statements that vouch for it.
struct KnownRole {
    /// The statements of one delegator and of the snapshot about a role.
    struct RoleStatement: Equatable {
        let entry: MetadataEntry
        let signers: RoleKeys
        let keys: KeyList

        /// Whether the file is the one that the snapshot names, and enough of the delegator's keys signed it.
        func accepts(_ file: Signed<TargetsRole>, _ role: String) -> Bool {
            file.content.version == entry.version && (try? entry.check(file.bytes, role)) != nil
                && (try? SignatureCheck.verify(file, by: signers, of: keys, role)) != nil
        }
    }

    let file: Signed<TargetsRole>
    var statements: [RoleStatement]
}
