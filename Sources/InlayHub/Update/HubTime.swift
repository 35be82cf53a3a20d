import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The time that expiry is measured against: never earlier than what signatures have shown it to be.
///
/// A clock that was set back cannot make old content fresh again. The floor is the latest of the app's
/// build, the dates that publishers signed, and the last moment at which metadata was verified.
final class HubTime: TrustClock {
    private let session: SessionContext
    private let database: HubDatabase
    private let source: String
    private let floor: Locked<Timestamp>

    init(_ session: SessionContext, database: HubDatabase, source: String, builtAt: Timestamp)
        throws(HubError)
    {
        (self.session, self.database, self.source) = (session, database, source)
        let stored =
            try database.value("time", source: source)
            .flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
        floor = Locked(max(builtAt, Timestamp(microseconds: stored)))
    }

    func now() -> Timestamp { max(session.serverClock.now(), floor.withLock { $0 }) }

    func sleep(for duration: Duration) async throws { try await session.clock.sleep(for: duration) }

    /// Raises the floor to a moment that has passed: a publisher signed it, or metadata verified then had not expired.
    func learn(_ moment: Timestamp) {
        let isLater = floor.withLock { floor in
            guard moment > floor else { return false }
            floor = moment
            return true
        }
        guard isLater else { return }
        // A floor that cannot be kept is learned again with the next update.
        try? database.set("time", Data(String(moment.microseconds).utf8), source: source)
    }
}
