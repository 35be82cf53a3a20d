import Foundation
@_spi(Inlay) import InlayTrust

/// The root metadata that trust begins with.
struct HubAnchor: Sendable {
    static let maximumRootBytes = 512_000

    let trust: HubConfiguration.Trust
    let database: HubDatabase
    let source: String

    /// Returns the app's root; for an app with a key alone, the first root of the source that the key signed.
    ///
    /// A found root is stored, so that the device needs it from the publisher only once.
    func root(first: () async throws -> Data) async throws(TrustError) -> Data {
        switch trust {
        case .root(let data): return data
        case .publicKey(let der):
            if let stored = try? database.value("anchor", source: source),
                (try? HubRoot.check(stored, signedBy: der)) != nil
            {
                return stored
            }
            guard HubRoot.publicValue(of: der) != nil else {
                throw TrustError(.policy, "the app's public key is neither Ed25519 nor ECDSA P-256")
            }
            let found: Data
            do { found = try await first() } catch { throw Self.translated(error) }
            try HubRoot.check(found, signedBy: der)
            try? database.set("anchor", found, source: source)
            return found
        }
    }

    private static func translated(_ error: any Error) -> TrustError {
        switch error {
        case let error as TrustError: error
        case TrustFetchError.notFound: TrustError(.notFound, "there is no first root", file: "root")
        case TrustFetchError.unreachable(let why): TrustError(.unreachable, why, file: "root")
        case is CancellationError: TrustError(.cancelled, "the caller stopped waiting", file: "root")
        default: TrustError(.unreachable, "\(error)", file: "root")
        }
    }
}
