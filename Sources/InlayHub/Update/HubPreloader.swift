import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A loader that activates the version that an app carries, when the device has none that is as new.
///
/// The version is verified like any other, but may have expired: an app is older than any timestamp lasts. The state
/// shows its age, and the publisher's policy decides about it.
struct HubPreloader: Sendable {
    private struct NonExpiringClock: TrustClock {
        func now() -> Timestamp { Timestamp(microseconds: 0) }

        // A file in the app is not slow; the sleeping task is cancelled when the file was read.
        func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
    }

    let context: HubContext

    /// Activates the preload unless the device has a version that is as new.
    func load(_ preload: HubConfiguration.Preload) async throws(HubError) {
        let configuration = context.configuration
        do throws(TrustError) {
            let fetcher = try Self.fetcher(of: preload)
            let anchor = HubAnchor(
                trust: configuration.trust, database: context.database, source: configuration.source)
            let root = try await anchor.root { try await Self.firstRoot(from: fetcher) }
            let trust = try TrustClient(
                anchor: root, store: MemoryMetadataStore(), mirrors: [fetcher],
                limits: configuration.limits.trust, clock: NonExpiringClock())
            let metadata = try await trust.refresh()
            try await activate(
                HubAssembler(
                    trust: trust, metadata: metadata, blobs: context.library.blobs,
                    limits: configuration.limits, progress: HubDownloadProgress { _ in }))
        } catch {
            throw HubError(error)
        }
    }

    private func activate(_ assembler: HubAssembler) async throws(TrustError) {
        do throws(HubError) {
            let version = try await assembler.version()
            guard version > context.library.manifest?.version ?? .min else { return }
            if let policy = try await assembler.policy() { apply(policy) }
            guard !context.policies.isDisabled else { return }
            _ = try context.library.activate(try await assembler.manifest(), onlyNewer: true)
        } catch {
            throw TrustError(.policy, error.storageText)
        }
    }

    /// Applies the policy. One that is older than the device's is no attack here: the app is simply older.
    private func apply(_ policy: Data) {
        guard (try? context.policies.accept(policy)) != nil else { return }
        context.library.listener.policyChanged()
    }

    private static func fetcher(of preload: HubConfiguration.Preload) throws(TrustError) -> any TrustFetcher
        & FirstRootSource
    {
        switch preload {
        case .folder(let folder): FolderFetcher(folder: folder)
        case .file(let file): try HubPreloadFile(reading: file)
        }
    }

    private static func firstRoot(from fetcher: any FirstRootSource) async throws -> Data {
        try fetcher.metadata("1.root.json", maximumBytes: HubAnchor.maximumRootBytes)
    }
}

/// A source of the first root on this device.
protocol FirstRootSource: Sendable {
    /// Returns a metadata file, not verified.
    func metadata(_ name: String, maximumBytes: Int) throws -> Data
}

/// A fetcher from a folder in the app, which is laid out as the server serves it.
private struct FolderFetcher: TrustFetcher, FirstRootSource {
    let folder: URL

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        try receive(
            try file(
                request.tree == .metadata ? "metadata" : "targets", request.path,
                maximumBytes: request.maximumBytes))
    }

    func metadata(_ name: String, maximumBytes: Int) throws -> Data {
        try file("metadata", name, maximumBytes: maximumBytes)
    }

    private func file(_ tree: String, _ path: String, maximumBytes: Int) throws -> Data {
        guard !path.pathParts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw TrustFetchError.notFound
        }
        let place = folder.appendingPathComponent(tree).appendingPathComponent(path)
        guard let data = HubFileSystem.read(place, limit: maximumBytes) else {
            throw TrustFetchError.notFound
        }
        return data
    }
}
