import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The updater of the content on this device. One update runs at a time; callers during an update get its result.
///
/// An update that fails in any way leaves the version before it in use. The files that it has fetched stay, so that the
/// next update continues with them.
actor HubUpdater {
    private let source: HubContext
    private let fetcher: HubTransportFetcher
    private let readingMetrics: HubReadingMetrics
    private var trust: TrustClient?
    private var updateTask: Task<Result<HubContent, HubError>, Never>?

    init(_ source: HubContext) {
        self.source = source
        let library = source.library
        let readingMetrics = HubReadingMetrics { library.listener.progressed($0) }
        self.readingMetrics = readingMetrics
        fetcher = HubTransportFetcher(
            session: source.session, source: source.configuration.source, limits: source.configuration.limits,
            readingMetrics: readingMetrics)
    }

    /// Looks for a newer version and activates it; returns the version in use afterwards.
    func update() async -> Result<HubContent, HubError> {
        if let updateTask { return await updateTask.value }
        // Ends with the update; log-out cancels it.
        let task = source.session.work.start { await self.run() }
        updateTask = task
        return await task.value
    }

    /// Activates the app's own version, when the device has none that is as new.
    func load(_ preload: HubConfiguration.Preload) async throws(HubError) {
        source.library.begin()
        defer { source.library.end() }
        try await HubPreloader(context: source).load(preload)
    }

    private func run() async -> Result<HubContent, HubError> {
        // Here and not where it is awaited: a caller that asks again after this update wants another request.
        defer { updateTask = nil }
        guard !source.policies.isLatched else {
            return .failure(.disabled(reason: source.policies.current?.disabledReason))
        }
        source.library.begin()
        source.stateObservers.change { $0.isDownloading = true }
        defer {
            source.library.end()
            source.stateObservers.change { state in
                state.isDownloading = false
                state.progress = nil
            }
        }
        do throws(HubError) {
            return .success(try await fetch())
        } catch {
            return .failure(error)
        }
    }

    private func fetch() async throws(HubError) -> HubContent {
        let trust = try await client()
        let start = source.time.now()
        let metadata: TrustedMetadata
        do { metadata = try await trust.refresh() } catch { throw HubError(error) }
        // The metadata verified at this moment had not expired, so no later clock may show an earlier time.
        source.time.learn(start)
        let assembler = HubAssembler(
            trust: trust, metadata: metadata, blobs: source.library.blobs,
            limits: source.configuration.limits,
            readingMetrics: readingMetrics)
        try await apply(assembler)
        let manifest = try await current(assembler, metadata)
        return try source.library.activate(manifest)
    }

    /// Applies the policy, before everything else: it holds even when the rest of the update fails.
    private func apply(_ assembler: HubAssembler) async throws(HubError) {
        guard let data = try await assembler.policy() else { return }
        try source.policies.accept(data)
        source.library.listener.policyChanged()
        if source.policies.isDisabled {
            throw .disabled(reason: source.policies.current?.disabledReason)
        }
    }

    /// Returns the manifest of this metadata. Nothing is searched when its version is in use and complete.
    private func current(
        _ assembler: HubAssembler, _ metadata: TrustedMetadata
    ) async throws(HubError) -> HubManifest {
        if var known = source.library.manifest, known.metadata == HubAssembler.name(of: metadata),
            known.files.values.allSatisfy(source.library.blobs.has)
        {
            known.expires = metadata.timestamp.content.expires
            return known
        }
        let manifest = try await assembler.manifest()
        // Content that came with the app was verified by other metadata, which the trust client does not know.
        if let known = source.library.content, manifest.version < known.version {
            throw .trust(
                TrustError(
                    .rollback, "version \(manifest.version) after \(known.version)", file: HubIndex.target))
        }
        return manifest
    }

    private func client() async throws(HubError) -> TrustClient {
        if let trust { return trust }
        do throws(TrustError) {
            let client = try TrustClient(
                anchor: try await anchor(), store: FolderMetadataStore(folder: source.metadataFolder),
                mirrors: [fetcher], limits: source.configuration.limits.trust, clock: source.time)
            trust = client
            return client
        } catch {
            throw HubError(error)
        }
    }

    private func anchor() async throws(TrustError) -> Data {
        let (configuration, fetcher) = (source.configuration, fetcher)
        return try await HubAnchor(
            trust: configuration.trust, database: source.database, source: configuration.source
        ).root { try await fetcher.firstRoot() }
    }
}
