import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A repository, its keys, its server, and the metadata store of a device that follows it.
struct TrustFixture {
    let clock: ManualClock
    let server: ScriptedRepository
    let store = MemoryMetadataStore()
    var keys: TrustKeyring
    var repository: TrustRepository
    var limits = TrustLimits()

    init(threshold: Int = 1, lifetimes: TrustLifetimes = TrustLifetimes()) throws {
        clock = ManualClock(at: .start)
        server = ScriptedRepository(clock: clock)
        func role() -> TrustKeyring.Role {
            TrustKeyring.Role((0..<threshold).map { _ in TrustKeyPair.generate() }, threshold: threshold)
        }
        keys = TrustKeyring(root: role(), targets: role(), snapshot: role(), timestamp: role())
        repository = try TrustRepository(keys: keys, lifetimes: lifetimes, now: .start)
        server.serve(repository)
    }

    /// Returns the client of the device, whose app contains the first root.
    func client(mirrors: [any TrustFetcher]? = nil) throws -> TrustClient {
        try TrustClient(
            anchor: repository.roots[0].bytes, store: store, mirrors: mirrors ?? [server], limits: limits,
            clock: clock)
    }

    /// Returns the client of another device, which has no metadata yet.
    static func device(following fixture: TrustFixture) throws -> TrustClient {
        try TrustClient(
            anchor: fixture.repository.roots[0].bytes, store: MemoryMetadataStore(),
            mirrors: [fixture.server],
            limits: fixture.limits, clock: fixture.clock)
    }

    /// Publishes texts as targets and serves everything.
    mutating func publish(_ texts: [String: String]) throws {
        let files = texts.map { TargetFile(path: $0, contents: Data($1.utf8)) }
        try repository.publish(files, keys: keys, now: clock.now())
        for file in files { server.serve(Data((texts[file.path] ?? "").utf8), as: file) }
        server.serve(repository)
    }

    /// Returns the threat for which an operation was refused; `nil` for success and for other errors.
    func threat(_ body: () async throws -> some Sendable) async -> TrustError.Threat? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? TrustError)?.threat }
    }

    func stored(_ role: String) async -> Data? { await store.files[.role(role)] }
}
