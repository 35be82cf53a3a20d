import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// Users whose account has ended, or that an operator erases, until every feature has forgotten them.
///
/// The job is enqueued in the transaction that ends the account, so no crash loses it. The features forget at once and
/// once more ten minutes later: a request that was under way, or a card for everyone, may have brought something
/// back in between.
struct EndedUsers: JobHandler {
    static let kind: JobKind = "devices.erasure"
    static let again: Duration = .seconds(600)
    /// The time after which a claim has ended with its node.
    static let lease: Duration = .seconds(30)
    /// The payload of a job whose user was forgotten once.
    private static let isForgottenOnce = "1"

    let now: @Sendable () -> Timestamp
    let features: [any UserErasure]

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { false }

    var limits: JobLimits {
        // A user may have millions of events.
        JobLimits(lease: Self.lease, isLeaseRenewed: true, retry: JobRetry(jitter: 0) { _ in .seconds(60) })
    }

    /// Enqueues an account's user, within the transaction that ends the account.
    static func add(
        _ environmentID: EnvironmentID, _ accountID: AccountID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try add(environmentID, user: UserID(account: accountID), at: moment, in: connection)
    }

    /// Enqueues a user who is to be forgotten. One who waits already, and came back meanwhile, is forgotten anew.
    static func add(
        _ environmentID: EnvironmentID, user userID: UserID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            NewJob(kind, key: userID.rawValue, in: environmentID, at: moment), in: connection)
    }

    /// Has every feature forget the users of the batch.
    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            try await forget(job.environmentID, UserID(job.key))
            let isLast = job.payload == Self.isForgottenOnce
            await batch.finish(
                job, isLast ? .done : .again(at: now() + Self.again, payload: Self.isForgottenOnce))
        }
    }

    /// Every feature has its turn, also behind one that fails, but not behind a stop.
    private func forget(_ environmentID: EnvironmentID, _ userID: UserID) async throws {
        var fault: (any Error)?
        for feature in features {
            do {
                try await feature.erase(environmentID, user: userID)
            } catch let stop as CancellationError {
                throw stop
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }
}
