import InlaySQL
import InlayWire
import Logging

/// Renews signatures before they run out, publishes articles on their date, and clears away what nobody reads.
///
/// Every node runs one; of two that find the same work one is told that the other was quicker.
struct HubClock: Sendable {
    private static let retry: Duration = .seconds(60)
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
        let moment = now()
        let due = try await database.read { connection in
            try connection.rows(
                """
                SELECT environment_id, id FROM hub_sources WHERE next_due_at <= ?
                    OR (next_due_at > ? AND timestamp_version < \(VersionBase.sql) / 1000000)
                ORDER BY next_due_at LIMIT 50
                """, [.moment(moment), .moment(moment + Self.retry)]
            ).map { (try $0.text("environment_id"), try $0.text("id")) }
        }
        for (environmentID, sourceID) in due { await tend(environmentID, sourceID, at: moment) }
    }

    private func tend(_ environmentID: String, _ sourceID: String, at moment: Timestamp) async {
        do {
            // Before anything that may fail: a source with a fault must not be tried in every round.
            try await postpone(environmentID, sourceID, until: moment + Self.retry)
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
