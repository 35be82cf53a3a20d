import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// Expires pairings at the end of their tokens' life.
///
/// Each pairing has a job of its own from its start: where no pairing is open, nothing is due and nothing is written.
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

    /// One statement for all that is due, of whatever batch; one that was settled before its end is left alone.
    func run(_ batch: JobBatch) async throws {
        var failure: (any Error)?
        for owner in try await pairings.expire() {
            // One app that cannot be notified keeps no other waiting.
            do { try await notifier.notify(owner) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
