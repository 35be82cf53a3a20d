import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The handler of the jobs that expire pairings at the end of their tokens' life.
///
/// Each pairing has a job of its own from its start, so nothing is due and nothing is written while no pairing is open.
struct PairingExpiry: JobHandler {
    static let kind: JobKind = "devices.pairing"

    let pairings: PairingStore
    let notifier: DeviceChangeNotifier

    var kind: JobKind { Self.kind }
    var areKeysLogged: Bool { true }

    var limits: JobLimits {
        JobLimits(
            maximumRunning: 100, batchSize: 100, lease: .seconds(60),
            retry: .doubling(from: .seconds(1), to: .seconds(60)))
    }

    /// Enqueues the expiry of a pairing, within the transaction that stores it.
    static func add(
        _ environmentID: EnvironmentID, _ pairing: Pairing, in connection: any SQLConnection
    ) throws {
        try JobQueue.enqueue(
            NewJob(kind, key: pairing.id, in: environmentID, at: pairing.expiresAt), in: connection)
    }

    /// Expires all pairings that are due, also those of other batches, in one statement. Pairings that were settled
    /// before are not changed.
    func run(_ batch: JobBatch) async throws {
        var failure: (any Error)?
        for owner in try await pairings.expire() {
            // A failed notification does not prevent the others.
            do { try await notifier.notify(owner) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
