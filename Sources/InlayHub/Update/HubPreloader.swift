import Foundation
import InlayCore
import InlayTrust
import InlayWire

/// Brings the version that an app carries into use, when the device has none that is as new.
///
/// It is verified like any other, but its age does not count against it: what an app was built with is older
/// than any timestamp lasts. How old it is shows in the state, and the publisher's policy decides over it.
struct HubPreloader: Sendable {
    private struct Timeless: TrustClock {
        func now() -> Timestamp { Timestamp(microseconds: 0) }

        // A file in the app is not slow; whoever waits is cancelled when it was read.
        func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
    }

    let parts: HubParts

    /// Activates the preload unless the device has something as new; a later start does not look again.
    func load(_ preload: HubPreload) async throws(HubError) {
        let configuration = parts.configuration
        do throws(TrustError) {
            let fetcher = try Self.fetcher(of: preload)
            let anchor = HubAnchor(
                trust: configuration.trust, database: parts.database, source: configuration.source)
            let root = try await anchor.root { try await Self.firstRoot(from: fetcher) }
            let trust = try TrustClient(
                anchor: root, store: MemoryMetadataStore(), mirrors: [fetcher],
                limits: configuration.limits.trust, clock: Timeless())
            let metadata = try await trust.refresh()
            try await activate(
                HubAssembler(
                    trust: trust, metadata: metadata, blobs: parts.library.blobs,
                    limits: configuration.limits, meter: HubMeter { _ in }))
        } catch {
            throw HubError(error)
        }
    }

    private func activate(_ assembler: HubAssembler) async throws(TrustError) {
        do throws(HubError) {
            let version = try await assembler.version()
            guard version > parts.library.manifest?.version ?? .min else { return }
            if let policy = try await assembler.policy() { obey(policy) }
            guard !parts.policies.isDisabled else { return }
            _ = try parts.library.activate(try await assembler.manifest(), onlyNewer: true)
        } catch {
            throw TrustError(.policy, error.storageText)
        }
    }

    /// A policy older than the one the device knows is no attack here: the app is simply older.
    private func obey(_ policy: Data) {
        guard (try? parts.policies.accept(policy)) != nil else { return }
        parts.library.listener.policyChanged()
    }

    private static func fetcher(of preload: HubPreload) throws(TrustError) -> any TrustFetcher & FirstRoot {
        switch preload {
        case .folder(let folder): FolderFetcher(folder: folder)
        case .file(let file): try HubPreloadFile(reading: file)
        }
    }

    private static func firstRoot(from fetcher: any FirstRoot) async throws -> Data {
        try fetcher.metadata("1.root.json", most: HubAnchor.longestRoot)
    }
}

/// A place on this device that has the first root of a source.
protocol FirstRoot: Sendable {
    /// A file of metadata; nothing is verified.
    func metadata(_ name: String, most: Int) throws -> Data
}
