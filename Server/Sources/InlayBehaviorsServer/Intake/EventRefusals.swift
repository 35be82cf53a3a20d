import InlaySQL
import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A refused event, as `/rest/events/errors` lists it.
package struct EventRefusal: Hashable, Sendable, Identifiable {
    /// The refusal's number, which grows over all environments.
    package let seq: Int64
    /// The event's id; empty when there was none.
    package let eventID: String
    /// The event's code as the sender wrote it, cut to 32 Unicode scalars.
    package let eventCode: String
    /// The reason for the refusal.
    package let problem: Problem
    package let receivedAt: Timestamp

    package var id: Int64 { seq }
}

/// The store of refused events. A response 2xx only means that the body was received, so senders look up here which
/// events were refused.
struct EventRefusals: Sendable {
    struct Entry: Sendable {
        let eventID: String
        let eventCode: String
        let problem: Problem
    }

    let database: any SQLDatabase

    /// Stores the first 100 refusals of a request, and returns after the commit.
    func add(_ caller: BehaviorCaller, _ entries: [Entry], at now: Timestamp) async throws {
        let entries = Array(entries.prefix(BehaviorLimits.maximumRefusalsPerRequest))
        _ = try await database.write { connection in
            for entry in entries {
                try connection.insert(
                    into: "behavior_refusals",
                    [
                        "environment_id": .id(caller.environmentID), "user_id": .id(caller.userID),
                        "event_id": .text(Self.clean(entry.eventID, 128)),
                        "event_code": .text(Self.clean(entry.eventCode, 32)),
                        "code": .text(entry.problem.code.rawValue), "status": .int(entry.problem.status),
                        "title": .text(entry.problem.title), "detail": SQLValue(entry.problem.detail),
                        "received_at": .moment(now),
                    ])
            }
        }
    }

    /// Returns refused events, newest first; with a `userID` only that user's. `filter` is an event's id or code, or a
    /// problem's code.
    func list(
        _ environmentID: EnvironmentID, userID: UserID?, filter: String?, before: Int64?, limit: Int
    ) async throws -> [EventRefusal] {
        var conditions = ["environment_id = ?"]
        var arguments: [SQLValue] = [.id(environmentID)]
        if let userID {
            conditions.append("user_id = ?")
            arguments.append(.id(userID))
        }
        if let filter {
            conditions.append("(event_id = ? OR event_code = ? OR code = ?)")
            arguments += [.text(filter), .text(filter), .text(filter)]
        }
        if let before {
            conditions.append("seq < ?")
            arguments.append(.integer(before))
        }
        arguments.append(.int(min(max(limit, 1), 500)))
        let sql = """
            SELECT * FROM behavior_refusals WHERE \(conditions.joined(separator: " AND "))
            ORDER BY seq DESC LIMIT ?
            """
        let values = arguments
        return try await database.read { try $0.rows(sql, values).map(EventRefusal.init) }
    }

    /// Removes all but the newest 10,000 refusals of an environment.
    func prune(_ environmentID: EnvironmentID, in connection: any SQLConnection) throws {
        try connection.execute(
            """
            DELETE FROM behavior_refusals WHERE environment_id = ? AND seq <= (
                SELECT MIN(seq) - 1 FROM (SELECT seq FROM behavior_refusals WHERE environment_id = ?
                    ORDER BY seq DESC LIMIT ?) AS newest)
            """, [.id(environmentID), .id(environmentID), .int(BehaviorLimits.maximumRefusals)])
    }

    // The text is untrusted, and its control characters may be the reason for the refusal.
    private static func clean(_ text: String, _ length: Int) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(length).map(Character.init))
    }
}

extension EventRefusal {
    fileprivate init(row: SQLRow) throws {
        self.init(
            seq: try row.int64("seq"), eventID: try row.text("event_id"),
            eventCode: try row.text("event_code"),
            problem: Problem(
                .init(rawValue: try row.text("code")), status: try row.int("status"),
                title: try row.text("title"), detail: try row.optionalText("detail")),
            receivedAt: try row.moment("received_at"))
    }
}
