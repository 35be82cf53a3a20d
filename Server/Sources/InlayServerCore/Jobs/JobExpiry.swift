import InlaySQL
@_spi(Inlay) import InlayWire
import Logging

/// A service that gives up jobs which expired while they waited, and has their handlers record it.
struct JobExpiry: Sendable {
    private static let maximumExpired = 500
    /// The time after which another node may claim the same expired jobs.
    private static let lease: Duration = .seconds(60)
    // A claim that ended without a result counts as a run: a job with results that cannot be stored
    // would otherwise never reach its minimum of attempts.
    private static let isExpired =
        """
        kind = ? AND expires_at < ? AND expires_at IS NOT NULL AND due_at <= ?
            AND attempts + CASE WHEN claim IS NULL THEN 0 ELSE 1 END >= minimum_attempts
        """

    let queue: JobQueue
    let logger: Logger

    /// Gives up the expired jobs of these handlers. A failure of one kind is logged and does not hold up the others.
    func giveUp(_ handlers: [any JobHandler]) async throws {
        for handler in handlers {
            do {
                try await giveUp(handler)
            } catch let stop as CancellationError {
                throw stop
            } catch {
                logger.warning(
                    "Expired jobs could not be given up",
                    metadata: ["kind": "\(handler.kind)", "error": "\(error)"])
            }
        }
    }

    /// Gives up expired jobs of one kind, 500 at a time. A job that is under way is left to its result.
    private func giveUp(_ handler: any JobHandler) async throws {
        let moment = queue.now()
        let arguments: [SQLValue] = [
            .text(handler.kind.rawValue), .moment(moment), .moment(moment),
        ]
        // A node that has nothing to do writes nothing.
        var isAny = try await queue.database.read { connection in
            try connection.row("SELECT 1 AS n FROM jobs WHERE \(Self.isExpired) LIMIT 1", arguments) != nil
        }
        let settlements = JobSettlements(queue: queue, logger: logger)
        while isAny {
            try Task.checkCancellation()
            let jobs = try await claim(handler.kind, arguments, until: moment + Self.lease)
            await settlements.store(
                jobs.map { JobSettlement(job: $0, result: .failed(error: nil), handler: handler) })
            isAny = jobs.count == Self.maximumExpired
        }
    }

    // Claims expired jobs, so that they are recorded and removed in the order of locks of all results.
    private func claim(
        _ kind: JobKind, _ arguments: [SQLValue], until end: Timestamp
    ) async throws -> [Job] {
        let claim = queue.makeClaim()
        return try await queue.database.write { connection in
            try connection.rows(
                """
                UPDATE jobs SET claim = ?, due_at = ?, again_at = NULL WHERE (environment_id, kind, key) IN (
                    SELECT environment_id, kind, key FROM jobs WHERE \(Self.isExpired)
                    LIMIT \(Self.maximumExpired) FOR UPDATE SKIP LOCKED)
                RETURNING *
                """, [.text(claim), .moment(end)] + arguments
            ).map { try Job($0, kind: kind, isRun: false) }
        }
    }
}
