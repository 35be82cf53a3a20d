import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging

/// The handler of the jobs that erase users in all features: users whose account has ended, or that an operator erases.
///
/// The job is enqueued in the transaction that ends the account, so no crash loses it. The features erase the user at
/// once and once more ten minutes later: a request that was under way, or a card for everyone, may have stored data of
/// the user in between.
struct UserErasureJobs: JobHandler {
    static let kind: JobKind = "devices.erasure"
    /// The delay after the first erasure of a user.
    static let secondErasureDelay: Duration = .seconds(600)
    /// The time after which the claim of a failed node ends.
    static let lease: Duration = .seconds(30)
    /// The payload of a job whose user was erased once.
    private static let erasedOncePayload = "1"

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

    /// Enqueues the erasure of a user. For a user who waits already, and may have come back since, it starts again.
    static func add(
        _ environmentID: EnvironmentID, user userID: UserID, at moment: Timestamp,
        in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            NewJob(kind, key: userID.rawValue, in: environmentID, at: moment), in: connection)
    }

    /// Erases the users of the batch in every feature.
    func run(_ batch: JobBatch) async throws {
        for job in batch.jobs {
            try await forget(job.environmentID, UserID(job.key))
            let isLast = job.payload == Self.erasedOncePayload
            await batch.finish(
                job,
                isLast ? .done : .again(at: now() + Self.secondErasureDelay, payload: Self.erasedOncePayload))
        }
    }

    /// Erases a user in every feature, also after a failure of another one, unless the server stops; throws the first
    /// error.
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
