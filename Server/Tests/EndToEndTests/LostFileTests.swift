import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import Testing

/// Tests of the built server after a file of its database was deleted under load.
@Suite(.timeLimit(.minutes(5))) struct LostFileTests {
    @Test func `nothing acknowledged is lost when the log is deleted under load and the server is killed`()
        async throws
    {
        try await TestDatabase.withFolder { path in
            let (file, folder) = ("\(path)/inlay.sqlite", try TemporaryFolder())
            let client = try await IntakeLoad.client(on: "sqlite:\(file)", in: folder)
            let server = try await ServerProcess.start(on: "sqlite:\(file)", in: folder)
            let load = try await IntakeLoad(client, at: server.address)
            try await withThrowingTaskGroup { group in
                for sender in 0..<6 { group.addTask { await load.send(as: sender) } }
                try await eventually { await load.acknowledged.count > 300 }
                try FileManager.default.removeItem(atPath: file + "-wal")
                try await eventually { try await Self.ready(server.address).status == 503 }
                let reason = String(decoding: try await Self.ready(server.address).body, as: UTF8.self)
                #expect(reason.contains("write-ahead log was moved"))
                await load.end()
                try await group.waitForAll()
            }
            let acknowledged = await load.acknowledged
            // The server copies the deleted log's content into the database file, all that is left after a kill.
            try await eventually {
                let copy = folder.url.appendingPathComponent("copy-\(UUID().uuidString).sqlite").path
                try FileManager.default.copyItem(atPath: file, toPath: copy)
                guard let kept = try? await IntakeLoad.kept(in: "sqlite:\(copy)") else { return false }
                return acknowledged.isSubset(of: kept)
            }
            try await server.crash()
            let next = try await ServerProcess.start(on: "sqlite:\(file)", in: folder)
            #expect(try await Self.ready(next.address).status == 200)
            try await next.crash()
            let kept = try await IntakeLoad.kept(in: "sqlite:\(file)")
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept).count) are lost")
        }
    }

    private static func ready(_ address: URL) async throws -> TransportResponse {
        let url = address.appendingPathComponent("ready")
        return try await NIOTransport().send(TransportRequest(method: "GET", url: url))
    }
}
