import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of the built server, which is killed repeatedly while programs send it events.
@Suite(.serialized) struct IntakeCrashTests {
    @Test(.timeLimit(.minutes(5)), arguments: SQLEngine.allCases)
    func `twenty kills under load lose nothing acknowledged and count nothing twice`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.withURL(engine) { database in
            let folder = try TemporaryFolder()
            let client = try await IntakeLoad.client(on: database, in: folder)
            var server = try await ServerProcess.start(on: database, in: folder)
            let load = try await IntakeLoad(client, at: server.address)
            try await withThrowingTaskGroup { group in
                for sender in 0..<6 { group.addTask { await load.send(as: sender) } }
                for kill in 0..<20 {
                    let before = await load.acknowledged.count
                    // Some kills come during the first requests after the start, some under full load.
                    let more = kill % 5 * 60 + 1
                    try await eventually { await load.acknowledged.count >= before + more }
                    try await server.crash()
                    server = try await ServerProcess.start(on: database, in: folder)
                    await load.moved(to: server.address)
                }
                await load.end()
                try await group.waitForAll()
            }
            try await server.crash()
            let acknowledged = await load.acknowledged
            let kept = try await IntakeLoad.kept(in: database)
            #expect(acknowledged.count > 2_000)
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept).count) are lost")
            #expect(Set(kept).count == kept.count)
        }
    }
}
