import Foundation
import InlaySQL
import InlaySQLTesting
import InlayServerCore
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer
@testable import InlayServer
@testable import InlayServerTesting

/// The versions that a server sends after a restore, which apps must take for newer than those they hold.
@Suite(.timeLimit(.minutes(5))) struct RestoredVersionTests {
    /// The versions of two users' feeds and of the container's appearance.
    private struct Versions: Sendable {
        let ada: Int64
        let bob: Int64
        let appearance: Int64
    }

    private func versions(_ app: TestApp) async throws -> Versions {
        let cards = app.server.features.cards
        return Versions(
            ada: try #require(try await cards.feeds.version("harbor", "ada", "main")),
            bob: try #require(try await cards.feeds.version("harbor", "bob", "main")),
            appearance: try #require(try await cards.containers.appearance("harbor", "main")).version)
    }

    private func send(_ app: TestApp, to user: UserID) async throws {
        try await app.server.features.cards.events.send(
            "harbor", CardEventRequest(name: "ping", target: .users([user])))
    }

    /// Makes a backup with one card for Ada, sends three more cards, and returns the versions after them.
    private func makeBackup(of url: String, at copy: String) async throws -> Versions {
        try await TestApp.run(url: url) { app in
            _ = try await TestTenant.make(app, "harbor")
            _ = try await app.services.operators.createFirst()
            let cards = app.server.features.cards
            try await cards.containers.save("harbor", id: "main", name: "Main")
            let template = try await cards.templates.create("harbor", .sample())
            _ = try await cards.templates.publish("harbor", template.id)
            try await send(app, to: "ada")
            try await app.services.database.backup(to: copy)
            for user in ["ada", "ada", "bob"] { try await send(app, to: UserID(user)) }
            return try await versions(app)
        }
    }

    @Test
    func
        `after a restore every version is greater than any before, also of feeds that are not in the backup`()
        async throws
    {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            var before = try await makeBackup(of: url, at: copy)
            // In the second round, the backup is of a server version without the table of restores.
            for second in [false, true] {
                if second { try await forgetRestores(copy) }
                _ = try await DatabaseRestore.run(from: copy, into: url)
                let known = before
                before = try await TestApp.run(url: url) { app in
                    let restored = try await versions(app)
                    #expect(restored.ada > known.ada && restored.bob > known.bob)
                    #expect(restored.appearance > known.appearance)
                    try await send(app, to: "bob")
                    let later = try await versions(app)
                    #expect(later.bob > restored.bob && later.ada == restored.ada)
                    return later
                }
            }
        }
    }

    @Test func `two restores in the same moment keep both replaced databases`() async throws {
        try await TestDatabase.withFolder { folder in
            let url = "sqlite:\(folder)/data/inlay.sqlite", copy = "\(folder)/copy.sqlite"
            _ = try await makeBackup(of: url, at: copy)
            let moment = Timestamp.now()
            let first = try await DatabaseRestore.run(from: copy, into: url, at: moment)
            let second = try await DatabaseRestore.run(from: copy, into: url, at: moment)
            let kept = try [#require(first.kept), #require(second.kept)]
            #expect(Set(kept).count == 2 && kept.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        }
    }

    private func forgetRestores(_ copy: String) async throws {
        let database = try await SQLDatabaseURL.open("sqlite:\(copy)")
        defer { database.close() }
        _ = try await database.write { try $0.execute("DROP TABLE database_restores") }
    }

    @Test(arguments: SQLEngine.allCases)
    func `feeds, change messages and not-modified answers use the same versions after a restore`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            _ = try await fixture.card()
            _ = try await fixture.database.write {
                try $0.execute(
                    "INSERT INTO database_restores (restored_at) VALUES (?), (?)",
                    [.moment(CardsServerFixture.start), .moment(CardsServerFixture.start + .seconds(5))])
            }
            _ = try await fixture.card()
            let feed = try await fixture.feed()
            #expect(feed.version > CardsServerFixture.start.microseconds + 5_000_000)
            #expect(fixture.changes.all.last?.version == feed.version)
            #expect(try await fixture.feeds.version("env", "ada", "main") == feed.version)
            #expect(try await fixture.feeds.feed("env", "ada", "main", after: feed.version) == .notModified)
            let appearance = try #require(try await fixture.containers.appearance("env", "main"))
            #expect(try await fixture.containers.appearance("env", "main", after: appearance.version) == nil)
        }
    }
}
