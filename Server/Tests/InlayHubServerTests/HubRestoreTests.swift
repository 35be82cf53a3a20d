import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerTesting

/// Devices must accept a source whose database was restored from an older backup.
@Suite struct HubRestoreTests {
    /// A copy of the Hub's tables in the same database, which a test restores later.
    private struct Copy: Sendable {
        private static let tables = [
            "hub_sources", "hub_items", "hub_revisions", "hub_assets", "hub_blobs", "hub_pieces", "hub_files",
            "hub_metadata", "hub_versions", "hub_keys",
        ]

        static func take(_ fixture: HubServerFixture) async throws {
            try await fixture.database.write { connection in
                for table in tables {
                    try connection.execute("CREATE TABLE copy_\(table) AS SELECT * FROM \(table)")
                }
            }
        }

        /// Puts the copy back as a restore does, and stores the time of the restore.
        static func restore(_ fixture: HubServerFixture) async throws {
            let moment = fixture.time.now
            try await fixture.database.write { connection in
                for table in tables {
                    try connection.execute("DELETE FROM \(table)")
                    try connection.execute("INSERT INTO \(table) SELECT * FROM copy_\(table)")
                }
                try connection.execute(
                    "INSERT INTO database_restores (restored_at) VALUES (?)", [.moment(moment)])
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `after a restore, a device gets no version that is older than one it had`(
        _ engine: SQLEngine
    ) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            try await Copy.take(fixture)
            let device = try await fixture.device()
            for number in 1...3 {
                fixture.time.advance(by: .seconds(60))
                try await fixture.change(.article, "a1") { $0.title = "Lost \(number)" }
                try await fixture.publisher.publish("env", "main", by: "test")
                var policy = HubPolicy(version: 0)
                policy.disabledReason = "Lost \(number)"
                try await fixture.publisher.setPolicy("env", "main", policy, by: "test")
                try await device.update()
            }
            let before = try await device.bundle()
            fixture.time.advance(by: .seconds(60))
            try await Copy.restore(fixture)
            await #expect(throws: TrustError.self) { try await device.update() }
            try await fixture.sourceJobs.runDueJobs()
            let after = try await device.update()
            #expect(after.index.article("a1")?.title == "Article 1")
            #expect(after.index.version > before.index.version)
            #expect(after.policy.version > before.policy.version && after.policy.disabledReason == nil)
            #expect(try await fixture.device().update().index == after.index)
            // Versions continue from there, one by one; an unchanged source is not signed again.
            let count = fixture.published.all.count
            try await fixture.sourceJobs.runDueJobs()
            #expect(fixture.published.all.count == count)
            try await fixture.change(.article, "a1") { $0.title = "Later" }
            let next = try await fixture.publisher.publish("env", "main", by: "test")
            #expect(next.version == after.index.version + 1)
            #expect(try await device.update().index.article("a1")?.title == "Later")
        }
    }

    @Test func `a device follows from content in many delegated roles back to content in one role`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            try await Copy.take(fixture)
            for number in 3...60 {
                let draft = HubDraft(title: "Article \(number)", body: "Text.", channels: ["news"])
                try await fixture.add(.article, "a\(number)", draft)
            }
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            #expect(try await device.update().index.articles.elements.count == 60)
            for _ in 0..<2 {
                fixture.time.advance(by: .seconds(60))
                try await Copy.restore(fixture)
                // An author may publish before the source's job runs.
                try await fixture.change(.article, "a1") { $0.title = "By hand" }
                try await fixture.publisher.publish("env", "main", by: "test")
                let bundle = try await device.update()
                #expect(bundle.index.articles.elements.count == 2)
                #expect(bundle.index.article("a1")?.title == "By hand")
            }
        }
    }

    @Test func `new roots replace the lost ones, and devices that had followed those go on`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            try await Copy.take(fixture)
            let (followed, behind) = (try await fixture.device(), try await fixture.device())
            try await behind.update()
            for role in [TopLevelRole.timestamp, .targets] {
                fixture.time.advance(by: .seconds(60))
                try await fixture.publisher.changeKeys(
                    "env", "main", [.replace(role, nil, .generate(), name: "lost", isOnline: true)])
            }
            try await followed.update()
            fixture.time.advance(by: .seconds(60))
            try await Copy.restore(fixture)
            try await fixture.sourceJobs.runDueJobs()
            try await behind.update()
            await #expect(throws: TrustError.self) { try await followed.update() }
            // One change more than the two lost ones: the device requests only the root after the last lost one.
            for _ in 0..<3 { try await fixture.publisher.changeKeys("env", "main", []) }
            #expect(try await followed.update().index.article("a1") != nil)
            try await behind.update()
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a device that followed new keys goes on after a restore that carries them over`(_ engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            try await Copy.take(fixture)
            let (followed, behind) = (try await fixture.device(), try await fixture.device())
            try await behind.update()
            for role in [TopLevelRole.timestamp, .root, .targets, .snapshot] {
                fixture.time.advance(by: .seconds(60))
                try await fixture.publisher.changeKeys(
                    "env", "main", [.replace(role, nil, .generate(), name: "later", isOnline: true)])
            }
            try await fixture.change(.article, "a1") { $0.title = "Lost" }
            try await fixture.publisher.publish("env", "main", by: "test")
            let before = try await followed.update().index.version
            let keys = try await fixture.keys.keys("env", "main")
            let carryOver = try await fixture.database.read { try HubKeyCarryOver(from: $0) }
            fixture.time.advance(by: .seconds(60))
            try await Copy.restore(fixture)
            let (carried, lost) = try await fixture.database.write { try carryOver.apply(to: $0) }
            #expect(carried.map(\.name) == ["env/main"] && lost.isEmpty)
            try await fixture.sourceJobs.runDueJobs()
            let after = try await followed.update().index
            #expect(after.article("a1")?.title == "Article 1" && after.version > before)
            #expect(try await behind.update().index == after)
            #expect(try await fixture.device().update().index == after)
            #expect(try await fixture.keys.keys("env", "main") == keys)
            // A state that is in force is not applied again.
            let again = try await fixture.database.write { try carryOver.apply(to: $0) }
            #expect(again.carried.isEmpty && again.lost.isEmpty)
            fixture.time.advance(by: .seconds(60))
            try await fixture.change(.article, "a1") { $0.title = "Later" }
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(try await followed.update().index.article("a1")?.title == "Later")
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `keys that were made after the backup of a source without any are carried over`(_ engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await Copy.take(fixture)
            try await fixture.publisher.createKeys("env", "main")
            let device = try await fixture.device()
            _ = try await device.client.refresh()
            let carryOver = try await fixture.database.read { try HubKeyCarryOver(from: $0) }
            fixture.time.advance(by: .seconds(60))
            try await Copy.restore(fixture)
            _ = try await fixture.database.write { try carryOver.apply(to: $0) }
            try await fixture.sourceJobs.runDueJobs()
            _ = try await device.client.refresh()
            try await fixture.publisher.publish("env", "main", by: "test")
            #expect(try await device.update().index.article("a1") != nil)
        }
    }

    @Test func `a source that a copy lacks, or has other roots of, is named as lost and stays as it is`()
        async throws
    {
        try await HubServerFixture.with(.sqlite) { newer in
            for source: HubSourceID in ["gone", "other", "same"] {
                try await newer.content.createSource("env", id: source, name: source.rawValue)
                try await newer.publisher.createKeys("env", source)
            }
            let carryOver = try await newer.database.read { try HubKeyCarryOver(from: $0) }
            try await HubServerFixture.with(.sqlite) { copy in
                for source: HubSourceID in ["other", "own"] {
                    try await copy.content.createSource("env", id: source, name: source.rawValue)
                    try await copy.publisher.createKeys("env", source)
                }
                try await copy.content.createSource("env", id: "same", name: "same")
                let before = try await copy.repository.metadata("env", "other", "1.root.json")
                let (carried, lost) = try await copy.database.write { try carryOver.apply(to: $0) }
                #expect(carried.map(\.name) == ["env/same"])
                #expect(lost.map(\.place.name) == ["env/gone", "env/other"])
                #expect(lost.map(\.reason).last == "the backup has other keys for it")
                #expect(try await copy.repository.metadata("env", "other", "1.root.json") == before)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a column that a later migration added is carried over, and left out where the copy has none`(
        _ engine: SQLEngine
    ) async throws {
        let addColumns: @Sendable (any SQLConnection) throws -> Void = { connection in
            for table in ["hub_keys", "hub_metadata"] {
                try connection.execute("ALTER TABLE \(table) ADD COLUMN later TEXT")
            }
        }
        try await HubServerFixture.with(engine) { newer in
            try await newer.content.createSource("env", id: "main", name: "Main")
            try await newer.publisher.createKeys("env", "main")
            try await newer.database.write { connection in
                try addColumns(connection)
                for table in ["hub_keys", "hub_metadata"] {
                    try connection.execute("UPDATE \(table) SET later = 'kept'")
                }
            }
            let carryOver = try await newer.database.read { try HubKeyCarryOver(from: $0) }
            for isMigrated in [true, false] {
                try await HubServerFixture.with(engine) { copy in
                    try await copy.content.createSource("env", id: "main", name: "Main")
                    if isMigrated { try await copy.database.write { try addColumns($0) } }
                    let (carried, lost) = try await copy.database.write { try carryOver.apply(to: $0) }
                    #expect(carried.map(\.name) == ["env/main"] && lost.isEmpty)
                    #expect(try await copy.keys.keys("env", "main") == newer.keys.keys("env", "main"))
                    guard isMigrated else { return }
                    for table in ["hub_keys", "hub_metadata"] {
                        let values = try await copy.database.read {
                            try $0.rows("SELECT later FROM \(table)").map { try $0.optionalText("later") }
                        }
                        #expect(!values.isEmpty && values.allSatisfy { $0 == "kept" }, "\(table)")
                    }
                }
            }
        }
    }
}
