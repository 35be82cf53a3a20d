import Foundation
import InlayCore
import InlayNIO
import InlaySQL
import InlaySQLTesting
import InlayTesting
import InlayWire
import Testing

/// The built server, killed again and again while programs send it events.
@Suite(.serialized) struct IntakeCrashTests {
    /// Where the server listens now, and what it has acknowledged; shared by all senders.
    private actor Load {
        private(set) var address: URL
        private(set) var acknowledged: Set<String> = []
        private var isEnded = false

        /// Also when the test has failed: its senders would try for ever.
        var isOver: Bool { isEnded || Task.isCancelled }

        init(_ address: URL) { self.address = address }

        func moved(to address: URL) { self.address = address }
        func took(_ ids: [String]) { acknowledged.formUnion(ids) }
        func end() { isEnded = true }
    }

    private struct Granted: Decodable { let access_token: String }

    private func grant(_ transport: NIOTransport, _ lines: [String], at address: URL) async throws -> String {
        let words = lines.compactMap { $0.split(separator: " ").last.map(String.init) }
        try #require(words.count == 3)
        let form =
            "grant_type=refresh_token&client_id=\(words[0])&client_secret=\(words[1])&refresh_token=\(words[2])"
        let answer = try await transport.send(
            TransportRequest(
                method: "POST", url: address.appendingPathComponent("oauth/token"),
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Data(form.utf8)))
        return try JSONDecoder().decode(Granted.self, from: answer.body).access_token
    }

    /// Sends batch after batch, each until it is acknowledged, and always twice.
    private func send(_ sender: Int, _ load: Load, _ transport: NIOTransport, _ token: String) async {
        for batch in 0... {
            if await load.isOver { return }
            let ids = (0..<(batch % 4 == 0 ? 20 : 1)).map { "s\(sender)-b\(batch)-\($0)" }
            let events = ids.map {
                "{\"id\":\"\($0)\",\"eventTypeCode\":\"17\",\"eventTimestamp\":\"\(Date().formatted(.iso8601))\",\"attributes\":[{\"name\":\"Event Name\",\"value\":\"Sailed\"}]}"
            }
            let body = Data("{\"events\":[\(events.joined(separator: ","))]}".utf8)
            var copies = 0
            while copies < 2 {
                if await load.isOver { return }
                let url = await load.address.appendingPathComponent("rest/events/submission")
                let answer = try? await transport.send(
                    TransportRequest(
                        method: "POST", url: url,
                        headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
                        body: body))
                guard let answer, answer.status == 200 else {
                    await Task.yield()
                    continue
                }
                await load.took(ids)
                copies += 1
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: SQLEngine.allCases)
    func `twenty kills under load lose nothing acknowledged and count nothing twice`(
        _ engine: SQLEngine
    ) async throws {
        try await TestDatabase.withURL(engine) { database in
            let folder = try TemporaryFolder()
            let key = folder.url.appendingPathComponent("key.pem").path
            _ = try await ServerProcess.run(
                ["key", "create", "harbor", "--private-key", key], on: database, in: folder)
            let client = try await ServerProcess.run(["key", "oauth", "harbor"], on: database, in: folder)
            var server = try await ServerProcess.start(on: database, in: folder)
            let transport = try NIOTransport()
            let token = try await grant(transport, client, at: server.address)
            let load = Load(server.address)
            try await withThrowingTaskGroup { group in
                for sender in 0..<6 { group.addTask { await send(sender, load, transport, token) } }
                for kill in 0..<20 {
                    let before = await load.acknowledged.count
                    // Some kills fall into the first requests after the start, some into full swing.
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
            let kept = try await keptIDs(database)
            #expect(acknowledged.count > 2_000)
            #expect(acknowledged.isSubset(of: kept), "\(acknowledged.subtracting(kept).count) are lost")
            #expect(Set(kept).count == kept.count)
        }
    }

    /// The ids in the database, each as often as it is there.
    private func keptIDs(_ url: String) async throws -> [String] {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.rows("SELECT event_id FROM behavior_events").map { try $0.text("event_id") }
        }
    }
}
