import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// Known networks: where a user logged in before, strangers' wrong passwords do not lock the user out.
@Suite(.timeLimit(.minutes(3))) struct KnownNetworkTests {
    private static let address = "ada@example.com"
    private static let next = "another good long one"

    /// Runs a body with three networks: Ada at home, Ada elsewhere, and a stranger.
    private static func run(
        _ engine: SQLEngine,
        _ body: @Sendable (DeviceSite, DeviceSite, DeviceSite) async throws -> Void
    ) async throws {
        try await DeviceSite.run(engine, configure: { $0.trustsProxy = true }) { site in
            try await body(
                site.from("198.51.100.7"), site.from("192.0.2.1"), site.from("203.0.113.9"))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `wrong passwords of strangers do not lock a user out on a known network`(_ engine: SQLEngine)
        async throws
    {
        try await Self.run(engine) { home, away, stranger in
            _ = try await home.proven(Self.address)
            try await wrong(stranger)
            #expect(try await stranger.logIn(Self.address).status == 429)
            // A network without a log-in so far counts as a stranger's.
            #expect(try await away.logIn(Self.address).status == 429)
            #expect(try await home.logIn(Self.address).status == 200)
            // Ada's log-in does not unlock the stranger's network, and wrong passwords at home count as well.
            #expect(try await stranger.logIn(Self.address).status == 429)
            try await wrong(home)
            #expect(try await home.logIn(Self.address).status == 429)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a mailed code works on every network, and a known network stays known during an attack`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await Self.run(engine) { home, away, stranger in
            _ = try await home.proven(Self.address)
            for place in [home, stranger] { try await wrong(place) }
            away.app.clock.advance(by: .seconds(1))
            #expect(try await away.reset(Self.address, Self.next).status == 204)
            try await wrong(stranger)
            for place in [home, away] {
                #expect(try await place.logIn(Self.address, Self.next).status == 200)
            }
            // The same with a code that logs in.
            away.app.clock.advance(by: .seconds(1))
            let asked = try await away.create(Self.address, nil).as(AccountNext.self)
            let proof = try await away.prove(
                Self.address, try await away.code(Self.address), request: asked.request)
            #expect(proof.status == 200)
            try await wrong(stranger)
            #expect(try await home.logIn(Self.address, Self.next).status == 200)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a network from before the address was proven is not known`(_ engine: SQLEngine) async throws {
        try await Self.run(engine) { home, _, stranger in
            // The stranger makes an account with Ada's address.
            _ = try await stranger.create(Self.address, Self.next)
            #expect(try await stranger.logIn(Self.address, Self.next).status == 200)
            home.app.clock.advance(by: .seconds(1))
            let asked = try await home.create(Self.address).as(AccountNext.self)
            _ = try await home.prove(
                Self.address, try await home.code(Self.address), request: asked.request)
            #expect(try await networks(home) == 1)
            // The same when nobody proves the address.
            _ = try await stranger.create("eve@example.com", Self.next)
            #expect(try await stranger.logIn("eve@example.com", Self.next).status == 200)
            #expect(try await networks(home) == 2)
            home.app.clock.advance(by: AccountStore.unprovenLifetime)
            try await home.feature.runPeriodicTasks()
            #expect(try await networks(home) == 1)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a network is known for thirty days after a user got in, whatever is tried there`(
        _ engine: SQLEngine
    ) async throws {
        try await Self.run(engine) { home, away, stranger in
            _ = try await home.proven(Self.address)
            home.app.clock.advance(by: .seconds(1))
            _ = try await away.reset(Self.address, Self.next)
            home.app.clock.advance(by: LogInAttempts.knownNetworkLifetime - .seconds(3600))
            // A code counts as a log-in, so the thirty days begin again; wrong passwords do not.
            _ = try await away.reset(Self.address, Self.next)
            try await wrong(home)
            try await lock(home)
            #expect(try await networks(home) == 2)
            home.app.clock.advance(by: .seconds(3600))
            try await home.feature.runPeriodicTasks()
            #expect(try await networks(home) == 1)
            try await wrong(stranger)
            #expect(try await home.logIn(Self.address, Self.next).status == 429)
            #expect(try await away.logIn(Self.address, Self.next).status == 200)
        }
    }

    /// Sends five wrong passwords, after which there is a wait.
    private func wrong(_ site: DeviceSite) async throws {
        for _ in 0..<5 { #expect(try await site.logIn(Self.address, "wrong").status == 401) }
    }

    /// Sets the failures of known networks that have any to the maximum, as after a hundred wrong passwords.
    private func lock(_ site: DeviceSite) async throws {
        try await site.app.services.database.write {
            try $0.execute(
                "UPDATE device_attempts SET failures = ? WHERE network_hash <> '' AND failures > 0",
                [.int(LogInAttempts.maximum)])
        }
    }

    private func networks(_ site: DeviceSite) async throws -> Int {
        try await site.app.services.database.read {
            try $0.row("SELECT COUNT(*) AS n FROM device_attempts WHERE network_hash <> ''")?.int("n") ?? 0
        }
    }
}
