import Foundation
import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) package import InlayWire

/// The check of a version with the verifier that devices use, before any device can fetch the version.
struct HubVerification {
    let now: Timestamp
    /// The published metadata that the version replaces; empty before the first version.
    let before: [String: Data]
    /// The metadata to be published.
    let after: [String: Data]
    /// The targets of the version.
    let files: [String: HubBlob]
    /// The bytes of the targets that were generated for this version.
    let generated: [String: Data]

    /// Throws `verification-failed` with the verifier's error when a device would refuse the version.
    func run() async throws {
        do {
            guard let root = after["1.root.json"] else {
                throw TrustError(.notFound, "there is no first root")
            }
            // A device with a new installation of the app.
            try await follow(root, store: MemoryMetadataStore())
            // A device that has the published metadata: it also refuses a rollback.
            if !before.isEmpty {
                let store = MemoryMetadataStore()
                _ = try await client(root, store, before, at: freshMoment(of: before)).refresh()
                try await follow(root, store: store)
            }
        } catch let error as TrustError {
            throw Problem(
                .verificationFailed, status: 409,
                title: "Devices would refuse this version; nothing was published.",
                detail: error.description)
        }
    }

    private func follow(_ root: Data, store: MemoryMetadataStore) async throws {
        let client = try client(root, store, after, at: now)
        let trusted = try await client.refresh()
        guard trusted.timestamp.bytes == after["timestamp.json"] else {
            throw TrustError(.mixAndMatch, "a device would not arrive at the newest metadata")
        }
        for (path, blob) in files {
            let target = try await client.target(path)
            guard target.length == blob.size, target.hashes.values["sha256"] == blob.hash else {
                throw TrustError(.mixAndMatch, "the metadata names other bytes", file: path)
            }
            if let bytes = generated[path] { try target.verify(bytes) }
        }
    }

    /// Returns a time at which the published metadata was not expired: it may be replaced because it now is.
    private func freshMoment(of files: [String: Data]) -> Timestamp {
        guard let bytes = files["timestamp.json"], let role = try? Signed<TimestampRole>(bytes: bytes) else {
            return now
        }
        return min(now, role.content.expires + .seconds(-1))
    }

    private func client(
        _ root: Data, _ store: MemoryMetadataStore, _ files: [String: Data], at moment: Timestamp
    ) throws -> TrustClient {
        try TrustClient(
            anchor: root, store: store, mirrors: [HubMemoryFetcher(files: files)],
            clock: HubFixedClock(moment: moment))
    }
}

extension Problem.Code {
    /// The new version does not verify; it has not been published.
    package static let verificationFailed = Self(rawValue: "verification-failed")
}

private struct HubMemoryFetcher: TrustFetcher {
    let files: [String: Data]

    func fetch(_ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void) async throws {
        guard request.tree == .metadata, let bytes = files[request.path] else {
            throw TrustFetchError.notFound
        }
        try receive(bytes)
    }
}

private struct HubFixedClock: TrustClock {
    let moment: Timestamp

    func now() -> Timestamp { moment }
    // Only the verifier's timeout sleeps, and it is cancelled as soon as the bytes have arrived.
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
