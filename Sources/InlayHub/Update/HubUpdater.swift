import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The updater of the content on this device. One update runs at a time; callers during an update get its result.
///
/// An update that fails in any way leaves the version before it in use. The files that it has fetched stay, so that the
/// next update continues with them.
actor HubUpdater {
    private let context: HubContext
    private let fetcher: HubTransportFetcher
    private let progress: HubDownloadProgress
    private var trust: TrustClient?
    private var updateTask: Task<Result<HubContent, HubError>, Never>?

    init(_ context: HubContext) {
        self.context = context
        let library = context.library
        let progress = HubDownloadProgress { library.listener.progressed($0) }
        self.progress = progress
        fetcher = HubTransportFetcher(
            session: context.session, source: context.configuration.source,
            limits: context.configuration.limits,
            progress: progress)
    }

    /// Looks for a newer version and activates it; returns the version in use afterwards.
    func update() async -> Result<HubContent, HubError> {
        if let updateTask { return await updateTask.value }
        // Ends with the update; log-out cancels it.
        let task = context.session.work.start { await self.run() }
        updateTask = task
        return await task.value
    }

    /// Activates the app's own version, when the device has none that is as new.
    func load(_ preload: HubConfiguration.Preload) async throws(HubError) {
        context.library.begin()
        defer { context.library.end() }
        try await HubPreloader(context: context).load(preload)
    }

    private func run() async -> Result<HubContent, HubError> {
        // Here and not where it is awaited: a caller that asks again after this update wants another request.
        defer { updateTask = nil }
        guard !context.policies.isLatched else {
            return .failure(.disabled(reason: context.policies.current?.disabledReason))
        }
        context.library.begin()
        context.stateObservers.change { $0.isDownloading = true }
        defer {
            context.library.end()
            context.stateObservers.change { state in
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
        let start = context.time.now()
        let metadata: TrustedMetadata
        do { metadata = try await trust.refresh() } catch { throw HubError(error) }
        // The metadata verified at this moment had not expired, so no later clock may show an earlier time.
        context.time.learn(start)
        let assembler = HubAssembler(
            trust: trust, metadata: metadata, blobs: context.library.blobs,
            limits: context.configuration.limits,
            progress: progress)
        try await apply(assembler)
        let manifest = try await current(assembler, metadata)
        return try context.library.activate(manifest)
    }

    /// Applies the policy, before everything else: it holds even when the rest of the update fails.
    private func apply(_ assembler: HubAssembler) async throws(HubError) {
        guard let data = try await assembler.policy() else { return }
        try context.policies.accept(data)
        context.library.listener.policyChanged()
        if context.policies.isDisabled {
            throw .disabled(reason: context.policies.current?.disabledReason)
        }
    }

    /// Returns the manifest of this metadata. Nothing is searched when its version is in use and complete.
    private func current(
        _ assembler: HubAssembler, _ metadata: TrustedMetadata
    ) async throws(HubError) -> HubManifest {
        if var known = context.library.manifest, known.metadata == HubAssembler.name(of: metadata),
            known.files.values.allSatisfy(context.library.blobs.has)
        {
            known.expires = metadata.timestamp.content.expires
            return known
        }
        let manifest = try await assembler.manifest()
        // Content that came with the app was verified by other metadata, which the trust client does not know.
        if let known = context.library.content, manifest.version < known.version {
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
                anchor: try await anchor(), store: FolderMetadataStore(folder: context.metadataFolder),
                mirrors: [fetcher], limits: context.configuration.limits.trust, clock: context.time)
            trust = client
            return client
        } catch {
            throw HubError(error)
        }
    }

    private func anchor() async throws(TrustError) -> Data {
        let (configuration, fetcher) = (context.configuration, fetcher)
        return try await HubAnchor(
            trust: configuration.trust, database: context.database, source: configuration.source
        ).root { try await fetcher.firstRoot() }
    }
}
