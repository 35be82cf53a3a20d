import Crypto
import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The stored responses to requests with an id, so that a repeated request has no effect and gets the first
/// response.
///
/// An app repeats a request with the same id until it has the response, also after it was terminated. In a list
/// without key columns, the repetition would otherwise add the contact twice.
struct XMLAPIResponseStore {
    /// The maximum number of stored responses of one environment; the oldest are removed.
    static let maximum = 100_000
    /// The maximum age of a stored response: 30 days.
    static let life: Duration = .seconds(30 * 86_400)

    /// The key of a request among those of its sender; no sender gets another sender's response.
    struct Key: Hashable, Sendable {
        let environmentID: EnvironmentID
        let senderID: String
        let requestID: String
        /// The SHA-256 of the request. The same id with another request is an error of the sender.
        let documentHash: String

        /// Creates the key of a request; `nil` when its id is missing or invalid.
        init?(_ requestID: String?, from caller: BehaviorCaller, document: Data) {
            guard let requestID, (try? Limits.id(requestID, "")) != nil else { return nil }
            environmentID = caller.environmentID
            senderID = caller.senderID
            self.requestID = requestID
            documentHash = SHA256.hash(data: document).map { String(format: "%02x", $0) }.joined()
        }

        fileprivate var columnValues: [SQLValue] { [.id(environmentID), .text(senderID), .text(requestID)] }
    }

    let key: Key
    let now: Timestamp
    let connection: any SQLConnection

    /// Returns the stored response, or runs `work` and stores its response in the same transaction.
    ///
    /// When `work` throws, nothing is stored, so a repetition runs it again.
    func response(_ work: () throws -> [XMLTree]) throws -> [XMLTree] {
        // The row is inserted first, so that the second of two concurrent copies waits here for the first.
        let isFirst = try connection.execute(
            """
            INSERT INTO xmlapi_answers (environment_id, sender_id, request_id, document_hash, answer, answered_at)
            VALUES (?, ?, ?, ?, '', ?) ON CONFLICT (environment_id, sender_id, request_id) DO NOTHING
            """, key.columnValues + [.text(key.documentHash), .moment(now)])
        guard isFirst == 1 else { return try storedResponse() }
        let result = try work()
        let text = String(decoding: try XMLTree("RESULT", result).document(), as: UTF8.self)
        try connection.execute(
            """
            UPDATE xmlapi_answers SET answer = ?
            WHERE environment_id = ? AND sender_id = ? AND request_id = ?
            """, [.text(text)] + key.columnValues)
        return result
    }

    private func storedResponse() throws -> [XMLTree] {
        let row = try connection.row(
            """
            SELECT document_hash, answer FROM xmlapi_answers
            WHERE environment_id = ? AND sender_id = ? AND request_id = ?
            """, key.columnValues)
        guard let row, try row.text("document_hash") == key.documentHash else {
            throw XMLAPIFault.invalidXML("the request's id was used for another request")
        }
        return try XMLTree(reading: Data(try row.text("answer").utf8), limits: .xmlapi).children
    }

    /// Removes the responses that are too old, and the oldest of environments that have too many.
    static func prune(_ database: any SQLDatabase, at now: Timestamp) async throws {
        let (table, key) = ("xmlapi_answers", "environment_id, sender_id, request_id")
        try await database.delete(
            from: table, key: key, where: "answered_at <= ?", [.moment(now - life)])
        // One statement per environment: a subquery that depends on the row would run for each row.
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
