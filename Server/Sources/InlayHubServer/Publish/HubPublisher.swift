import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) package import InlayWire

/// A publisher of versions of content sources. It compiles, signs and verifies a version before devices can fetch it.
package struct HubPublisher: Sendable {
    /// A closure that notifies sockets of the new version of the timestamp of a source.
    typealias TimestampObserver =
        @Sendable (_ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ version: Int64) async -> Void

    let database: any SQLDatabase
    let content: HubContentStore
    let blobs: HubBlobStore
    let keys: HubKeyStore
    let now: @Sendable () -> Timestamp
    let notify: TimestampObserver

    /// Publishes the released items. Has no effect when devices would get what they already have.
    ///
    /// Throws ``HubFaults`` with everything that prevents the publishing.
    @discardableResult
    package func publish(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, by who: String, note: String? = nil
    ) async throws -> HubPublication {
        try await retryingConflicts {
            try await publishOnce(environmentID, sourceID, by: who, note: note, withContent: true)
        }
    }

    /// Stores a policy and publishes it at once, with the content that is already published.
    ///
    /// Before the first version, the policy is only stored. Throws ``FieldErrors``, and `conflict` when the stored
    /// policy is no longer `version`, which its author read.
    @discardableResult
    package func setPolicy(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ policy: HubPolicy,
        over version: Int64? = nil,
        by who: String, note: String? = nil
    ) async throws -> HubSource {
        let source = try await content.setPolicy(environmentID, sourceID, policy, over: version)
        guard source.version > 0 else { return source }
        _ = try await retryingConflicts {
            try await publishOnce(
                environmentID, sourceID, by: who, note: note ?? "Policy", withContent: false)
        }
        return try await content.source(environmentID, sourceID) ?? source
    }

    /// Replaces the whole content of a source by that of a manifest and publishes it.
    ///
    /// Every file must be in the blob store already; see ``missing(_:_:)``. A source that does not exist is created.
    /// Throws ``HubFaults`` and ``FieldErrors``, and then changes nothing.
    package func publish(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, _ manifest: HubManifest, by who: String
    ) async throws -> HubPublication {
        let stored = try await database.read { connection -> HubState? in
            guard try HubContentStore.find(environmentID, sourceID, connection) != nil else { return nil }
            return try HubState.load(environmentID, sourceID, connection)
        }
        if stored == nil { try HubCheck.id(sourceID.rawValue) }
        let state =
            stored
            ?? HubState(
                source: HubSource(new: sourceID, in: environmentID, at: now()), items: [], assets: [:],
                metadata: [:], files: [:])
        try HubContentStore.check(manifest, settings: state.source.settings)
        // This check also prevents an environment from using another's files by their hash.
        var lacking = HubFaults()
        for blob in try await missing(environmentID, manifest) {
            for path in manifest.assets.filter({ $0.value == blob }).keys.sorted() {
                lacking.add("file \(path)", "Its bytes have not been sent.")
            }
        }
        try lacking.throwIfAny()
        try await checkPictures(manifest, known: state.assets, environmentID)
        try await checkTemplates(manifest, environmentID)
        // A trial before anything is stored, so that a manifest with a fault leaves the source as it was.
        var trial = state
        trial.replaceContent(by: manifest, at: now())
        _ = try await compile(trial, at: now())
        if stored == nil { try await createSource(state.source) }
        _ = try await content.replaceContent(environmentID, sourceID, by: manifest)
        return try await publish(environmentID, sourceID, by: who, note: manifest.note)
    }

    /// Stores a new source, unless another publish has stored it meanwhile.
    private func createSource(_ source: HubSource) async throws {
        do {
            try await content.createSource(
                source.environmentID, id: source.id, name: source.name, settings: source.settings)
        } catch let problem as Problem where problem.code == .conflict {}
    }

    /// Throws ``HubFaults`` for new pictures whose bytes are not a picture. Pictures that the source has are not read.
    private func checkPictures(
        _ manifest: HubManifest, known: [String: HubBlob], _ environmentID: EnvironmentID
    ) async throws {
        var faults = HubFaults()
        for (path, blob) in manifest.assets.sorted(by: { $0.key < $1.key }) where known[path] != blob {
            guard let media = HubMedia(path: path), media.isPicture else { continue }
            if let fault = try await blobs.pictureFault(environmentID, blob, media) {
                faults.add("file \(path)", fault)
            }
        }
        try faults.throwIfAny()
    }

    /// Throws ``HubFaults`` for templates whose bytes are not text.
    private func checkTemplates(_ manifest: HubManifest, _ environmentID: EnvironmentID) async throws {
        var faults = HubFaults()
        for (path, blob) in manifest.assets.sorted(by: { $0.key < $1.key }) where HubPath.isTemplate(path) {
            guard let data = try await blobs.data(environmentID, blob.hash) else { continue }
            do throws(HubFaults) { _ = try TextFile.text(data, of: path) } catch { faults.add(error) }
        }
        try faults.throwIfAny()
    }

    /// Returns the files of a manifest that the environment does not have yet, by hash.
    package func missing(_ environmentID: EnvironmentID, _ manifest: HubManifest) async throws -> [HubBlob] {
        let known = try await blobs.present(environmentID, Set(manifest.assets.values.map(\.hash)))
        return Set(manifest.assets.values).filter { known[$0.hash] != $0 }.sorted { $0.hash < $1.hash }
    }

    /// Returns the faults that prevent the source from being published now. Without faults, returns the warnings about
    /// parts of texts that pages would not show.
    package func check(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID
    ) async throws -> (faults: HubFaults, warnings: [HubFaults.Item]) {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        do {
            return (HubFaults(), try await compile(state, at: now()).warnings)
        } catch let faults as HubFaults {
            return (faults, [])
        }
    }

    /// Signs the timestamp anew, and the other metadata of which half of the lifetime is over. Has no effect before the
    /// first root.
    ///
    /// - Parameter onlyWhenDue: Whether to sign only when half of the timestamp's lifetime is over.
    func renew(_ environmentID: EnvironmentID, _ sourceID: HubSourceID, onlyWhenDue: Bool = false)
        async throws
    {
        let moment = now()
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard let repository = try state.repository() else { return }
        if state.isBehindRestore { return try await republishAfterRestore(state) }
        guard !onlyWhenDue || moment >= repository.timestampDueAt else { return }
        let ring = try keyring(try await keys.signers(environmentID, sourceID), repository)
        var signing = HubSigning(repository: repository, keys: ring, now: moment)
        try signing.renew()
        try await promote(state, signing.repository, files: state.files, generated: [:], at: moment)
    }

    // MARK: One attempt

    /// Signs everything anew, with higher versions than devices have seen before the database was restored.
    private func republishAfterRestore(_ state: HubState) async throws {
        let (environmentID, sourceID) = (state.source.environmentID, state.source.id)
        guard state.source.version == 0 else {
            _ = try await retryingConflicts {
                try await publishOnce(
                    environmentID, sourceID, by: "restore", note: "After a restore", withContent: false)
            }
            return
        }
        let moment = now()
        let (repository, _) = try await sign(state, state.files, at: moment)
        try await promote(state, repository, files: state.files, generated: [:], at: moment)
    }

    private func retryingConflicts(_ body: () async throws -> HubPublication) async throws -> HubPublication {
        for _ in 0..<4 {
            do {
                return try await body()
            } catch let problem as Problem where problem == .publishedMeanwhile {
                continue
            }
        }
        return try await body()
    }

    private func publishOnce(
        _ environmentID: EnvironmentID, _ sourceID: HubSourceID, by who: String, note: String?,
        withContent: Bool
    ) async throws -> HubPublication {
        let moment = now()
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        let compiled = withContent || state.files.isEmpty ? try await compile(state, at: moment) : nil
        let fingerprint = try compiled?.fingerprint ?? state.lastFingerprint ?? ""
        let isContentNew = fingerprint != state.lastFingerprint
        guard isContentNew || state.publishedPolicyVersion != state.policy.version else {
            try await setDue(state, compiled?.nextArticleAt)
            return HubPublication(
                version: state.source.version, isNew: false, newFiles: 0, newBytes: 0,
                warnings: compiled?.warnings ?? [])
        }
        let number = state.nextVersion
        var draft = HubVersionDraft(state: state, number: number, moment: moment)
        try draft.setContent(isContentNew ? compiled : nil)
        if !isContentNew, state.isBehindRestore, let index = state.files[HubIndex.target],
            let data = try await blobs.data(environmentID, index.hash)
        {
            try draft.renumber(data)
        }
        try draft.setPolicy()
        try await store(draft.generated, environmentID)
        let version = draft.version(by: who, note: note, fingerprint: fingerprint, compiled: compiled)
        let (repository, entries) = try await sign(state, draft.files, at: moment)
        try await promote(
            state, repository, version: version, files: draft.files, generated: draft.generated,
            keys: entries,
            nextArticleAt: compiled == nil
                ? nextArticle(state, after: state.contentPublishedAt ?? moment) : compiled?.nextArticleAt,
            at: moment)
        return HubPublication(
            version: number, isNew: true, newFiles: version.summary.newFiles,
            newBytes: version.summary.newBytes, warnings: compiled?.warnings ?? [])
    }

    private func sign(
        _ state: HubState, _ files: [String: HubBlob], at moment: Timestamp
    ) async throws -> (TrustRepository, [HubKeyEntry]) {
        let (environmentID, sourceID) = (state.source.environmentID, state.source.id)
        var entries: [HubKeyEntry] = []
        var repository = try state.repository()
        var signers = try await keys.signers(environmentID, sourceID)
        if repository == nil, signers.isEmpty {
            (signers, entries) = try firstKeys(environmentID, sourceID)
        }
        repository?.lifetimes = state.source.settings.lifetimes
        let base =
            try repository
            ?? TrustRepository(
                keys: firstRing(signers), lifetimes: state.source.settings.lifetimes, now: moment)
        var signing = HubSigning(repository: base, keys: try keyring(signers, base), now: moment)
        try signing.publish(files)
        return (signing.repository, entries)
    }

    func compile(_ state: HubState, at moment: Timestamp) async throws -> HubVersionContent {
        var templates: [HubKind: String] = [:]
        var styles: [String: String] = [:]
        for (path, blob) in state.assets {
            let isTemplate = HubPath.isTemplate(path)
            guard isTemplate || HubMedia(path: path) == .css,
                let data = try await blobs.data(state.source.environmentID, blob.hash)
            else { continue }
            let text = TextFile.lenientText(data)
            if isTemplate, let kind = HubKind(rawValue: String(path.dropFirst(10).dropLast(5))) {
                templates[kind] = text
            } else {
                styles[path] = text
            }
        }
        var compiler = HubCompiler(
            state.source, items: state.items, assets: state.assets.filter { !HubPath.isTemplate($0.key) },
            templates: templates, styles: styles, now: moment)
        return try compiler.compile()
    }

    private func store(_ generated: [String: Data], _ environmentID: EnvironmentID) async throws {
        var byHash: [String: Data] = [:]
        for data in generated.values { byHash[HubBlob(of: data).hash] = data }
        let known = try await blobs.present(environmentID, Set(byHash.keys))
        try await blobs.put(environmentID, byHash.filter { known[$0.key] == nil })
    }

    private func nextArticle(_ state: HubState, after moment: Timestamp) -> Timestamp? {
        state.items.compactMap { $0.released?.publishAt }.filter { $0 > moment }.min()
    }

    /// Makes the source's job run at the date of an article that was released without another change.
    private func setDue(_ state: HubState, _ nextArticleAt: Timestamp?) async throws {
        guard let nextArticleAt else { return }
        try await database.write {
            try $0.execute(
                """
                UPDATE hub_sources SET next_due_at = ?
                WHERE environment_id = ? AND id = ? AND (next_due_at IS NULL OR next_due_at > ?)
                """,
                [
                    .moment(nextArticleAt), .id(state.source.environmentID), .id(state.source.id),
                    .moment(nextArticleAt),
                ])
            try HubSourceJobs.enqueue(
                state.source.environmentID, state.source.id, at: nextArticleAt, in: $0)
        }
    }
}
