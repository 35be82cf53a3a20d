import Crypto
import Foundation
import InlaySQLTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayHubServer
@testable import InlayAdsServer
@testable import InlayServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// A server without its content secret does not start and says what to do; keys of a lost secret are replaced.
@Suite(.timeLimit(.minutes(5))) struct ContentSecretTests {
    private let root = TrustKeyPair.generate()
    private let clock = TestClock(.now())

    private func secret(in folder: String) -> String { folder + "/content.secret" }

    /// Runs a body in a folder with a database that holds content and ad keys, and with the file of their secret.
    private func withKeys(_ body: (_ folder: String, _ url: String) async throws -> Void) async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/inlay.sqlite"
            try await TestApp.run(url: url, clock: clock) { app in
                _ = try await TestTenant.make(app, "harbor")
                _ = try await app.server.features.ads.keys.current("harbor", .tracker)
                let hub = app.server.features.hub
                try await hub.content.createSource("harbor", id: "main", name: "Main")
                try await hub.publisher.createKeys("harbor", "main", root: [root])
            }
            try await body(folder, url)
        }
    }

    private func refusal(_ url: String) async -> String {
        let error = await #expect(throws: ConfigurationError.self) {
            let _: Void = try await TestApp.run(url: url, clock: clock) { _ in }
        }
        return error?.description ?? ""
    }

    private func command(_ url: String) async throws -> InlayServer {
        var configuration = InlayServerConfiguration()
        configuration.database = SecretString(url)
        return try await InlayServer.makeForCommand(configuration, logger: Logger(label: "test"))
    }

    @Test func `a secret file that an editor saved with a byte order mark is accepted`() async throws {
        try await withKeys { folder, url in
            let file = URL(fileURLWithPath: secret(in: folder))
            try (Data([0xEF, 0xBB, 0xBF]) + Data(contentsOf: file) + Data("\r\n".utf8)).write(to: file)
            try await TestApp.run(url: url, clock: clock) { app async throws in
                #expect(try await app.send("GET", "/ready").status == 200)
            }
        }
    }

    @Test func `a server without the secret of its keys does not start and says what to do`() async throws {
        try await withKeys { folder, url in
            let (file, kept) = (secret(in: folder), folder + "/kept")
            try FileManager.default.moveItem(atPath: file, toPath: kept)
            let words = await refusal(url)
            #expect(words.contains(file) && words.contains("no such file") && words.contains("lost-secret"))
            #expect(!FileManager.default.fileExists(atPath: file), "It made another secret.")
            try FileManager.default.moveItem(atPath: kept, toPath: file)
            try await TestApp.run(url: url, clock: clock) { app async throws in
                #expect(try await app.send("GET", "/ready").status == 200)
            }
        }
    }

    @Test func `a server whose secret does not open its keys does not start either`() async throws {
        try await withKeys { folder, url in
            let other = Data(repeating: 7, count: 32).base64EncodedString()
            try Data(other.utf8).write(to: URL(fileURLWithPath: secret(in: folder)))
            let words = await refusal(url)
            #expect(words.contains("not the one") && words.contains("lost-secret"))
        }
    }

    @Test func `a few keys of another secret do not keep a server from starting`() async throws {
        try await withKeys { _, url in
            try await TestApp.run(url: url, clock: clock) { app in
                let other = SecretBox(secret: SymmetricKey(size: .bits256))
                let keys = AdKeyStore(database: app.services.database, box: other, now: { clock.now })
                _ = try await keys.current("other", .tracker)
            }
            try await TestApp.run(url: url, clock: clock) { app async throws in
                let (all, unreadable) = try await app.server.sealedKeys.counts()
                #expect(all == SealedKeys.Counts(["content": 3, "ads": 2]))
                #expect(unreadable == SealedKeys.Counts(["content": 0, "ads": 1]))
            }
        }
    }

    @Test func `a command works without the secret until it needs it, and makes no other`() async throws {
        try await withKeys { folder, url in
            try FileManager.default.removeItem(atPath: secret(in: folder))
            let server = try await command(url)
            defer { server.close() }
            #expect(try await server.services.environments.environments().map(\.id) == ["harbor"])
            let error = await #expect(throws: Problem.self) {
                try await server.features.ads.keys.current("harbor", .reward)
            }
            #expect(error?.status == 503 && error?.detail?.contains("lost-secret") == true)
            #expect(!FileManager.default.fileExists(atPath: secret(in: folder)))
        }
    }

    @Test(arguments: [Data(), Data("x".utf8), Data([0xff])])
    func `a command that needs no secret works with a damaged one, a server does not start`(_ damaged: Data)
        async throws
    {
        try await withKeys { folder, url in
            try damaged.write(to: URL(fileURLWithPath: secret(in: folder)))
            let server = try await command(url)
            #expect(try await server.services.environments.environments().map(\.id) == ["harbor"])
            #expect(try await server.sealedKeys.all() == SealedKeys.Counts(["content": 3, "ads": 1]))
            let error = await #expect(throws: ConfigurationError.self) {
                try await server.sealedKeys.counts()
            }
            server.close()
            let words = await refusal(url)
            #expect(words.contains("must hold 32 bytes") && words == error?.description)
            #expect(words.contains("Put the copy of the file there") && words.contains("move this one away"))
            #expect(words.contains("lost-secret"))
        }
    }

    @Test func `keys of a secret that is lost are given up, and ads and content are signed again`()
        async throws
    {
        try await withKeys { folder, url in
            try FileManager.default.removeItem(atPath: secret(in: folder))
            let server = try await command(url)
            let lost = SealedKeys.Counts(["content": 3, "ads": 1])
            #expect(try await server.sealedKeys.counts().unreadable == lost)
            #expect(try await server.sealedKeys.discardUnreadable() == lost)
            server.close()
            clock.advance(by: .seconds(60))
            try await TestApp.run(url: url, clock: clock) { app async throws in
                let (ads, hub) = (app.server.features.ads.keys, app.server.features.hub)
                let old = try await app.services.database.read {
                    try $0.rows("SELECT id FROM ad_keys")[0].text("id")
                }
                #expect(try await ads.key(old, .tracker) == nil)
                #expect(try await ads.current("harbor", .tracker).id != old)
                let fresh = try await hub.keys.replacementsOfLost("harbor", "main")
                try await hub.publisher.changeKeys("harbor", "main", fresh, rootKeys: [root])
                #expect(try await hub.keys.signers("harbor", "main").count == 3)
                await #expect(throws: Problem.self) {
                    try await hub.keys.replacementsOfLost("harbor", "main")
                }
            }
        }
    }
}
