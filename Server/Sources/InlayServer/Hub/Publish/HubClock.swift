import InlaySQL
import InlayWire
import Logging

/// Renews signatures before they run out, publishes articles on their date, and clears away what nobody reads.
///
/// Every node runs one; each source that is due is claimed by one of them.
struct HubClock: Sendable {
    private static let retry: Duration = .seconds(60)
    private static let sourcesPerRound = 50
    private static let roundsToPrune = 900

    let database: any SQLDatabase
    let publisher: HubPublisher
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// Looks every two seconds until it is cancelled.
    func run() async {
        var round = 0
        for await _ in Ticks(every: .seconds(2)) {
            do {
                try await tendDue()
                round += 1
                if round % Self.roundsToPrune == 1 {
                    try await HubPruning(database: database, now: now()).run()
                }
            } catch is CancellationError {
                return
            } catch {
                logger.error("Content sources could not be tended", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Does what is due now: also signs anew what devices take for old after a restore.
    func tendDue() async throws {
        for _ in 0..<Self.sourcesPerRound {
            let moment = now()
            guard let (environmentID, sourceID) = try await claim(at: moment) else { return }
            await tend(environmentID, sourceID, at: moment)
        }
    }

    /// Claims a source that is due for as long as ``retry``, so that no other node does its work meanwhile.
    ///
    /// A source with a fault, or whose node ended, is due again after that.
    func claim(at moment: Timestamp) async throws -> (environmentID: String, sourceID: String)? {
        let retry = SQLValue.moment(moment + Self.retry)
        // A node that has nothing to do writes nothing.
        let isAnyDue = try await database.read { connection in
            try connection.row(
                "SELECT 1 AS n FROM hub_sources WHERE \(Self.isDue) LIMIT 1", [.moment(moment), retry]) != nil
        }
        guard isAnyDue else { return nil }
        let row = try await database.write { connection in
            try connection.row(
                """
                WITH due AS MATERIALIZED (SELECT environment_id, id FROM hub_sources WHERE \(Self.isDue)
                    ORDER BY next_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
                UPDATE hub_sources SET next_due_at = ?
                WHERE (environment_id, id) IN (SELECT environment_id, id FROM due) RETURNING environment_id, id
                """, [.moment(moment), retry, retry])
        }
        return try row.map { (try $0.text("environment_id"), try $0.text("id")) }
    }

    private static let isDue = """
        (next_due_at <= ? OR (next_due_at > ? AND timestamp_version < \(VersionBase.sql) / 1000000))
        """

    private func tend(_ environmentID: String, _ sourceID: String, at moment: Timestamp) async {
        do {
            let isDue = try await hasDueArticle(environmentID, sourceID, at: moment)
            let isOwed = isDue ? await !publish(environmentID, sourceID) : false
            try await publisher.renewRoot(environmentID, sourceID)
            // Tried again every minute: only what has to be is signed meanwhile, or devices would fetch each minute.
            try await publisher.renew(environmentID, sourceID, onlyWhenDue: isOwed)
            // Renewing has set the next look to half of the timestamp's life, hours after the article's date.
            if isOwed { try await postpone(environmentID, sourceID, until: moment + Self.retry) }
        } catch let problem as Problem where problem == .publishedMeanwhile {
            return
        } catch {
            logger.error(
                "A content source could not be renewed",
                metadata: ["environment": "\(environmentID)", "source": "\(sourceID)", "error": "\(error)"])
        }
    }

    /// Whether readers have what is released now.
    private func publish(_ environmentID: String, _ sourceID: String) async -> Bool {
        do {
            try await publisher.publish(
                environmentID, sourceID, by: "schedule", note: "An article's date came")
            return true
        } catch {
            logger.error(
                "An article could not be published on its date",
                metadata: ["environment": "\(environmentID)", "source": "\(sourceID)", "error": "\(error)"])
            return false
        }
    }

    private func hasDueArticle(_ environmentID: String, _ sourceID: String, at moment: Timestamp) async throws
        -> Bool
    {
        let state = try await database.read { try HubState.load(environmentID, sourceID, $0) }
        guard let last = state.contentMadeAt else { return false }
        return state.items.contains { item in
            guard let date = item.released?.publishAt else { return false }
            return date > last && date <= moment
        }
    }

    private func postpone(_ environmentID: String, _ sourceID: String, until moment: Timestamp) async throws {
        try await database.write {
            _ = try $0.execute(
                "UPDATE hub_sources SET next_due_at = ? WHERE environment_id = ? AND id = ?",
                [.moment(moment), .text(environmentID), .text(sourceID)])
        }
    }
}
