import Foundation
@_spi(Inlay) import InlayCore
import InlayNIO
import InlaySQL
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// Programs that send events to a server without a pause, and the ids of the events that it has acknowledged.
actor IntakeLoad {
    private struct Granted: Decodable { let access_token: String }

    private let transport: NIOTransport
    private let token: String
    private var address: URL
    private(set) var acknowledged: Set<String> = []
    private var isEnded = false

    /// Whether the senders must stop; also when the test has failed, because they would retry for ever.
    private var isOver: Bool { isEnded || Task.isCancelled }

    /// Creates an environment in a database and returns the credentials of a program that may send events to it.
    static func client(on database: String, in folder: TemporaryFolder) async throws -> [String] {
        let key = folder.url.appendingPathComponent("key.pem").path
        _ = try await ServerProcess.run(
            ["key", "create", "harbor", "--private-key", key], on: database, in: folder)
        return try await ServerProcess.run(["key", "oauth", "harbor"], on: database, in: folder)
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    /// Creates a load with an access token that the server grants for the credentials.
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

    /// Sends one batch after another, each until it was acknowledged twice.
    func send(as sender: Int) async {
        for batch in 0... {
            let ids = (0..<(batch % 4 == 0 ? 20 : 1)).map { "s\(sender)-b\(batch)-\($0)" }
            let body = Self.body(ids)
            var copies = 0
            while copies < 2 {
                guard !isOver else { return }
                guard await isAccepted(body) else {
                    await Task.yield()
                    continue
                }
                acknowledged.formUnion(ids)
                copies += 1
            }
        }
    }

    /// Sends all later requests to another address, because the server was started again.
    func moved(to address: URL) { self.address = address }

    func end() { isEnded = true }

    /// Returns the ids of the events in the database, with duplicates.
    static func kept(in url: String) async throws -> [String] {
        let database = try await SQLDatabaseURL.open(url)
        defer { database.close() }
        return try await database.read {
            try $0.rows("SELECT event_id FROM behavior_events").map { try $0.text("event_id") }
        }
    }

    private func isAccepted(_ body: Data) async -> Bool {
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
