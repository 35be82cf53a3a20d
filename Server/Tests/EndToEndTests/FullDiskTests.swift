import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayDiskTesting
import InlayNIO
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayBehaviorsServer

/// Tests of a real server whose disk is full, with an app and a backend that write to the server.
@Suite(.timeLimit(.minutes(5))) struct FullDiskTests {
    private static let environment = RunningServer.environmentID

    @Test(.enabled(if: DiskWitness.isSupported))
    func
        `with a full disk the server refuses writes and loses nothing, and accepts writes again when there is space`()
        async throws
    {
        try await TestDatabase.withFolder { path in
            let server = try await RunningServer.start(on: "sqlite:\(path)/inlay.sqlite")
            let (backend, folder) = (try await Backend(server), try TemporaryFolder())
            var app: RunningApp? = try await .launch(at: server, folder: folder)
            var ids = [try #require(try await app?.session.behaviors.track(.named("Before")))]
            try await eventually { try await Self.isPosted(app) }
            let disk = try FullDisk(URL(fileURLWithPath: path))

            // The last writes fit into the disk space that the write-ahead log already has.
            var accepted = 0
            var answer = try await backend.save(user: 0)
            while answer.status == 204 {
                accepted += 1
                answer = try await backend.save(user: accepted)
            }
            #expect(answer.status == 503 && answer.headers["retry-after"] == "60")
            ids.append(try #require(try await app?.session.behaviors.track(.named("Meanwhile"))))
            #expect(try await !Self.isPosted(app))
            let ready = try await backend.send("GET", "ready")
            #expect(ready.status == 503)
            #expect(String(decoding: ready.body, as: UTF8.self).contains("The disk is full."))

            disk.freeSpace()
            #expect(try await backend.send("GET", "ready").status == 200)
            // The app obeys the server's `Retry-After` of a minute, or retries at its next start.
            app = nil
            let again = try await RunningApp.launch(at: server, folder: folder)
            try await eventually { try await Self.isPosted(again) }
            let kept = try await server.server.features.behaviors.events.events(
                Self.environment, BehaviorFilter())
            #expect(kept.compactMap(\.eventID).filter(ids.contains).sorted() == ids.sorted())
            for user in 0...accepted {
                let found = try await backend.send("GET", "v1/users/user-\(user)").status
                #expect(found == (user < accepted ? 200 : 404), "user-\(user)")
            }
            #expect(try await backend.save(user: accepted).status == 204)
            await server.stop()
        }
    }

    /// Sends the waiting events and returns whether the server has every event that the app tracked.
    private static func isPosted(_ app: RunningApp?) async throws -> Bool {
        let behaviors = try #require(app).session.behaviors
        await behaviors.postEventCache()
        return try await behaviors.stored([.notPosted, .hold]).isEmpty
    }
}

/// A backend with a secret key.
private struct Backend {
    private let server: RunningServer
    private let secret: String
    private let transport: NIOTransport

    init(_ server: RunningServer) async throws {
        self.server = server
        let environments = server.server.services.environments
        secret = try await environments.addSecretKey(RunningServer.environmentID, name: "Backend").secret
        transport = try NIOTransport()
    }

    /// Saves a profile with a name of 200 bytes.
    func save(user number: Int) async throws -> TransportResponse {
        let name = String(repeating: "x", count: 200)
        return try await send("PUT", "v1/users/user-\(number)", Data(#"{"name":"\#(name)"}"#.utf8))
    }

    func send(_ method: String, _ path: String, _ body: Data? = nil) async throws -> TransportResponse {
        try await transport.send(
            TransportRequest(
                method: method, url: server.address.appendingPathComponent(path),
                headers: [
                    "Inlay-Environment": RunningServer.environmentID.rawValue,
                    "Authorization": "Bearer \(secret)",
                    "Content-Type": "application/json",
                ], body: body))
    }
}
