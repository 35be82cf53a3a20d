import Crypto
import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The answers to requests that carry an id, so that a copy gets the first answer again.
///
/// An app sends a request until it has an answer; when the answer is lost, or the app ends, the same request
/// comes again with the same id. Without a key of its contacts a list would have two of them.
struct XMLAPIMemory {
    /// So many answers of one environment are kept, the newest; none longer than this.
    static let maximum = 100_000
    static let life: Duration = .seconds(30 * 86_400)

    /// The key of a request among those of its sender; no sender gets another sender's response.
    struct Key: Hashable, Sendable {
        let environmentID: EnvironmentID
        let senderID: String
        let requestID: String
        /// The hash of the request: an id that comes again with something else is a mistake, not a copy.
        let documentHash: String

        /// The key of a request; `nil` without an id that can be one.
        init?(_ requestID: String?, from caller: BehaviorCaller, document: Data) {
            guard let requestID, (try? Limits.id(requestID, "")) != nil else { return nil }
            environmentID = caller.environmentID
            senderID = caller.senderID
            self.requestID = requestID
            documentHash = SHA256.hash(data: document).map { String(format: "%02x", $0) }.joined()
        }

        fileprivate var place: [SQLValue] { [.id(environmentID), .text(senderID), .text(requestID)] }
    }

    let key: Key
    let now: Timestamp
    let connection: any SQLConnection

    /// The first answer, or what `work` answers now; both in one transaction with what `work` does.
    ///
    /// A fault changes nothing, so it is not remembered: a copy asks again.
    func answer(_ work: () throws -> [XMLTree]) throws -> [XMLTree] {
        // Its row first: of two copies at once one waits here for the other.
        let isFirst = try connection.execute(
            """
            INSERT INTO xmlapi_answers (environment_id, sender_id, request_id, document_hash, answer, answered_at)
            VALUES (?, ?, ?, ?, '', ?) ON CONFLICT (environment_id, sender_id, request_id) DO NOTHING
            """, key.place + [.text(key.documentHash), .moment(now)])
        guard isFirst == 1 else { return try known() }
        let result = try work()
        let text = String(decoding: try XMLTree("RESULT", result).document(), as: UTF8.self)
        try connection.execute(
            """
            UPDATE xmlapi_answers SET answer = ?
            WHERE environment_id = ? AND sender_id = ? AND request_id = ?
            """, [.text(text)] + key.place)
        return result
    }

    private func known() throws -> [XMLTree] {
        let row = try connection.row(
            """
            SELECT document_hash, answer FROM xmlapi_answers
            WHERE environment_id = ? AND sender_id = ? AND request_id = ?
            """, key.place)
        guard let row, try row.text("document_hash") == key.documentHash else {
            throw XMLAPIFault.invalidXML("the request's id was used for another request")
        }
        return try XMLTree(reading: Data(try row.text("answer").utf8), limits: .xmlapi).children
    }

    /// Forgets what is old, and what is more than one environment may have.
    static func prune(_ database: any SQLDatabase, at now: Timestamp) async throws {
        let (table, key) = ("xmlapi_answers", "environment_id, sender_id, request_id")
        try await database.delete(
            from: table, key: key, where: "answered_at <= ?", [.moment(now - life)])
        // By environment: a limit that depends on the row is sought anew for each of them.
        let environments = try await database.read {
            try $0.rows("SELECT DISTINCT environment_id FROM \(table)").map {
                try $0.id("environment_id", as: EnvironmentID.self)
            }
        }
        for environmentID in environments {
            try await database.delete(
                from: table, key: key,
                where: """
                    environment_id = ? AND answered_at <= (
                        SELECT answered_at FROM xmlapi_answers WHERE environment_id = ?
                        ORDER BY answered_at DESC LIMIT 1 OFFSET ?)
                    """, [.id(environmentID), .id(environmentID), .int(maximum)])
        }
    }
}
