import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayHubServer
@testable import InlayServerTesting

/// The removal of files that no reader can still be fetching.
@Suite struct HubPruningTests {
    @Test(arguments: SQLEngine.allCases)
    func `old files are removed a day after a newer version, not before`(engine: SQLEngine) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.publisher.publish("env", "main", by: "test")
            let device = try await fixture.device()
            let old = try await device.update().files["articles/a1/index.html"] ?? Data()
            let address = HubPath.hashed("articles/a1/index.html", HubBlob(of: old).hash)
            fixture.time.advance(by: .seconds(100))
            try await fixture.change(.article, "a1") { $0.body = "New" }
            try await fixture.publisher.publish("env", "main", by: "test")
            fixture.time.advance(by: .seconds(86_000))
            try await HubPruning(database: fixture.database, now: fixture.time.now).run()
            #expect(try await fixture.repository.file("env", "main", address) != nil)
            fixture.time.advance(by: .seconds(600))
            try await HubPruning(database: fixture.database, now: fixture.time.now).run()
            #expect(try await fixture.repository.file("env", "main", address) == nil)
            #expect(try await fixture.blobs.data("env", HubBlob(of: old).hash) == nil)
            try await fixture.publisher.renew("env", "main")
            #expect(try await fixture.device().update().text("articles/a1/index.html").contains("New"))
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a file that is stored again is kept as long as a new one`(engine: SQLEngine) async throws {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            let data = [1, 2, 3].map { Data(repeating: $0, count: 10) }
            let blobs = data.map { HubBlob(of: $0) }
            func store(_ data: [Data]) async throws {
                _ = try await fixture.blobs.put("env", data[0])
                let bytes = AsyncStream<ByteBuffer> {
                    $0.yield(ByteBuffer(bytes: data[1])); $0.finish()
                }
                _ = try await fixture.blobs.put("env", bytes, expecting: blobs[1].hash, limit: 10)
                try await fixture.blobs.put("env", [blobs[2].hash: data[2]])
            }
            try await store(data)
            fixture.time.advance(by: .seconds(86_000))
            try await store(data)
            fixture.time.advance(by: .seconds(600))
            try await HubPruning(database: fixture.database, now: fixture.time.now).run()
            for (blob, bytes) in zip(blobs, data) {
                #expect(try await fixture.blobs.data("env", blob.hash) == bytes)
            }
            fixture.time.advance(by: .seconds(86_000))
            try await HubPruning(database: fixture.database, now: fixture.time.now).run()
            #expect(try await fixture.blobs.present("env", Set(blobs.map(\.hash))).isEmpty)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `pieces of a file that nobody finished go after a day, storage by storage`(engine: SQLEngine)
        async throws
    {
        try await HubServerFixture.with(engine) { fixture in
            try await fixture.fill()
            try await fixture.addFile("assets/harbor.svg", "<svg/>")
            let start = fixture.time.now
            func put(_ storage: String, at moment: Timestamp) async throws {
                try await fixture.database.write { connection in
                    for piece in 0..<3 {
                        try connection.execute(
                            """
                            INSERT INTO hub_pieces (environment_id, storage_id, piece, bytes, created_at)
                            VALUES ('env', ?, ?, ?, ?)
                            """, [.text(storage), .int(piece), .blob(Data([1])), .moment(moment)])
                    }
                }
            }
            try await put("left", at: start)
            fixture.time.advance(by: .seconds(90_000))
            try await put("going-on", at: fixture.time.now)
            try await HubPruning(database: fixture.database, now: fixture.time.now).run()
            let pieces = try await fixture.database.read {
                try $0.rows("SELECT storage_id FROM hub_pieces").map { try $0.text("storage_id") }
            }
            #expect(pieces.filter { $0 == "going-on" }.count == 3 && !pieces.contains("left"))
            #expect(pieces.count == 4, "The picture is in use.")
        }
    }

    @Test func `pieces that belong to no file are found without reading pieces`() async throws {
        try await HubServerFixture.with(.sqlite) { fixture in
            let plan = try await fixture.database.read {
                try $0.rows("EXPLAIN QUERY PLAN " + HubPruning.orphans).map { try $0.text("detail") }
            }
            #expect(plan.first?.hasPrefix("SCAN hub_pieces USING COVERING INDEX") == true, "\(plan)")
        }
    }
}
