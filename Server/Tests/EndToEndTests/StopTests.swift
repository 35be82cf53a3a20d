import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayTesting
import NIOCore
import NIOPosix
import Testing

/// Tests of the built server, which stops while it has work.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StopTests {
    @Test(arguments: SQLEngine.allCases)
    func `SIGTERM under load ends the server in time, and it keeps everything that it acknowledged`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.withURL(engine) { database in
            let folder = try TemporaryFolder()
            let client = try await IntakeLoad.client(on: database, in: folder)
            let server = try await LoggedServer.start(
                [
                    "--database", database, "--port", "0", "--log-level", "notice", "--rate-address", "0",
                    "--rate-key", "0", "--stop-seconds", "3",
                ], in: folder)
            let load = try await IntakeLoad(client, at: server.address)
            try await withThrowingTaskGroup { group in
                for sender in 0..<6 { group.addTask { await load.send(as: sender) } }
                try await eventually { await load.acknowledged.count > 500 }
                // A request that never ends delays the server's end by no more than the limit.
                let open = try await Self.beginRequest(at: server.address)
                // Connections are accepted in their order: after this answer, the server has also accepted the one
                // before.
                #expect(try await Self.isAlive(server.address))
                #expect(try await server.stop() == 0)
                await load.end()
                try await group.waitForAll()
                try await open.closeFuture.get()
            }
            // The limit of the stop has ended the request, not the limit of slow clients.
            #expect(server.log.contains("longer than the limit of a stop were cut off"), "\(server.log)")
            let acknowledged = await load.acknowledged
            let kept = try await IntakeLoad.kept(in: database)
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept).count) are lost")
            #expect(Set(kept).count == kept.count)
        }
    }

    @Test func `SIGTERM ends the server within its limit while its database hangs`() async throws {
        try await PrivatePostgres.with { postgres in
            let folder = try TemporaryFolder()
            let client = try await IntakeLoad.client(on: postgres.url, in: folder)
            // Without the limit of the stop, the server would wait for the database's 300 seconds.
            let settings = folder.url.appendingPathComponent("settings.json")
            try Data(#"{"databaseSeconds": 300}"#.utf8).write(to: settings)
            let server = try await ServerProcess.start(
                on: postgres.url, in: folder, ["--stop-seconds", "3", "--config", settings.path])
            let load = try await IntakeLoad(client, at: server.address)
            try await withThrowingTaskGroup { group in
                for sender in 0..<6 { group.addTask { await load.send(as: sender) } }
                try await eventually { await load.acknowledged.count > 100 }
                try postgres.pause()
                defer { postgres.resume() }
                // Any exit status, but no crash.
                #expect(try await server.stop(within: .seconds(120)) >= 0)
                await load.end()
                try await group.waitForAll()
            }
            postgres.resume()
            let acknowledged = await load.acknowledged
            let kept = try await IntakeLoad.kept(in: postgres.url)
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept).count) are lost")
        }
    }

    @Test(arguments: [false, true])
    func `a listener that breaks ends the server with an error, so that it is started again`(
        isAnswering: Bool
    ) async throws {
        try await TestDatabase.withFolder { folder in
            let (database, output) = ("sqlite:\(folder)/inlay.sqlite", try TemporaryFolder())
            let server = try await ServerProcess.start(on: database, in: output, ["--stop-seconds", "1"])
            // The server cuts off a request that never ends at its limit, and must still end with an error.
            let open = isAnswering ? try await Self.beginRequest(at: server.address) : nil
            // Connections are accepted in their order: after this answer, the server has also accepted the one before.
            #expect(try await Self.isAlive(server.address))
            try server.breakListener()
            #expect(try await server.end(within: .seconds(60)) == 1)
            try await open?.closeFuture.get()
        }
    }

    private static func isAlive(_ address: URL) async throws -> Bool {
        let url = address.appendingPathComponent("health")
        return try await NIOTransport().send(TransportRequest(method: "GET", url: url)).status == 200
    }

    /// Sends the head of a request and a part of its body.
    private static func beginRequest(at address: URL) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: try #require(address.port)).get()
        let head = """
            POST /workbench/sign-in HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n\
            Content-Type: application/x-www-form-urlencoded\r\n\r\nx
            """
        try await channel.writeAndFlush(ByteBuffer(string: head))
        return channel
    }
}
