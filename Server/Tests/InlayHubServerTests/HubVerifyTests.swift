import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting

@Suite struct HubVerifyTests {
    /// The metadata that an attacker with access to the database changed.
    enum Damage: String, CaseIterable {
        case firstRoot = "1.root.json"
        case delegatedRoles = "%bin-%"
    }

    private func metadata(_ fixture: HubServerFixture) async throws -> [String: Data] {
        try await fixture.database.read { connection in
            let rows = try connection.rows("SELECT name, bytes FROM hub_metadata WHERE superseded_at IS NULL")
            return Dictionary(try rows.map { (try $0.text("name"), try $0.blob("bytes")) }) { $1 }
        }
    }

    /// Changes the first digit of every signature.
    private func spoil(_ damage: Damage, _ fixture: HubServerFixture) async throws {
        try await fixture.database.write { connection in
            let rows = try connection.rows(
                "SELECT name, bytes FROM hub_metadata WHERE name LIKE ?", [.text(damage.rawValue)])
            try #require(!rows.isEmpty)
            for row in rows {
                var text = String(decoding: try row.blob("bytes"), as: UTF8.self)
                let start = try #require(text.range(of: "\"sig\":\"")?.upperBound)
                text.replaceSubrange(start...start, with: text[start] == "0" ? "1" : "0")
                _ = try connection.execute(
                    "UPDATE hub_metadata SET bytes = ? WHERE name = ?",
                    [.blob(Data(text.utf8)), .text(try row.text("name"))])
            }
        }
    }

    @Test(arguments: SQLEngine.allCases, Damage.allCases)
    func `a version that a device would refuse is not published, and readers keep the version they have`(
        engine: SQLEngine, damage: Damage
    ) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill(articles: 50)
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            try await device.update()
            try await spoil(damage, fixture)
            let before = try await metadata(fixture)
            fixture.time.advance(by: .seconds(60))
            try await fixture.change(.article, "a2") { $0.body = "Other words." }
            let problem = await #expect(throws: Problem.self) {
                try await fixture.publisher.publish("env", "main", by: "test")
            }
            #expect(problem?.code == .verificationFailed && problem?.status == 409)
            #expect(try await metadata(fixture) == before)
            #expect(try await fixture.content.source("env", "main")?.version == 1)
            #expect(fixture.published.all.count == 1)
            #expect(try await device.update().index.version == 1)
        }
    }
}
