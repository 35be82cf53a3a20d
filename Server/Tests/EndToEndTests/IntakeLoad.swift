import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQL
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// Programs that send a server events without a pause, and what it has acknowledged of them.
actor IntakeLoad {
    private struct Granted: Decodable { let access_token: String }

    private let transport: NIOTransport
    private let token: String
    private var address: URL
    private(set) var acknowledged: Set<String> = []
    private var isEnded = false

    /// Also when the test has failed: its senders would try for ever.
    private var isOver: Bool { isEnded || Task.isCancelled }

    /// Makes an environment on a database; the credentials of a program that may send it events.
    static func client(on database: String, in folder: TemporaryFolder) async throws -> [String] {
        let key = folder.url.appendingPathComponent("key.pem").path
        _ = try await ServerProcess.run(
            ["key", "create", "harbor", "--private-key", key], on: database, in: folder)
        return try await ServerProcess.run(["key", "oauth", "harbor"], on: database, in: folder)
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    /// Asks the server for a token with the credentials.
    init(_ client: [String], at address: URL) async throws {
        guard client.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
        let form =
            "grant_type=refresh_token&client_id=\(client[0])&client_secret=\(client[1])&refresh_token=\(client[2])"
        transport = try NIOTransport()
        let answer = try await transport.send(
            TransportRequest(
                method: "POST", url: address.appendingPathComponent("oauth/token"),
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Data(form.utf8)))
        token = try JSONDecoder().decode(Granted.self, from: answer.body).access_token
        self.address = address
    }

    /// Sends batch after batch, each until it is acknowledged, and always twice.
    func send(as sender: Int) async {
        for batch in 0... {
            let ids = (0..<(batch % 4 == 0 ? 20 : 1)).map { "s\(sender)-b\(batch)-\($0)" }
            let body = Self.body(ids)
            var copies = 0
            while copies < 2 {
                guard !isOver else { return }
                guard await isTaken(body) else {
                    await Task.yield()
                    continue
                }
                acknowledged.formUnion(ids)
                copies += 1
            }
        }
    }

    /// The server listens somewhere else now.
    func moved(to address: URL) { self.address = address }

    func end() { isEnded = true }

    /// The ids in the database, each as often as it is there.
    static func kept(in url: String) async throws -> [String] {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.rows("SELECT event_id FROM behavior_events").map { try $0.text("event_id") }
        }
    }

    private func isTaken(_ body: Data) async -> Bool {
        let answer = try? await transport.send(
            TransportRequest(
                method: "POST", url: address.appendingPathComponent("rest/events/submission"),
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
                body: body))
        return answer?.status == 200
    }

    private static func body(_ ids: [String]) -> Data {
        let now = Date().formatted(.iso8601)
        let events = ids.map {
            "{\"id\":\"\($0)\",\"eventTypeCode\":\"17\",\"eventTimestamp\":\"\(now)\",\"attributes\":[{\"name\":\"Event Name\",\"value\":\"Sailed\"}]}"
        }
        return Data("{\"events\":[\(events.joined(separator: ","))]}".utf8)
    }
}
