import Foundation
import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Makes embargoes end, snoozed cards return and cards expire at their moment, and tells the sockets.
///
/// Sleeps until the next moment in the database; whoever writes an earlier one calls ``wake()``. Every
/// node runs one: each feed is claimed by one of them for ``CardSettling/lease``. What a node slept through, because
/// another one wrote it or ended with its claims, is found within ``longestSleep``.
package final class CardClock: Sendable {
    /// The longest time before it looks again.
    static let longestSleep: Duration = .seconds(2)
    /// Feeds of one transaction.
    private static let piece = 200

    private let database: any SQLDatabase
    private let now: @Sendable () -> Timestamp
    private let news: CardNews
    private let logger: Logger
    private let alarm = Alarm()

    init(
        database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp, news: @escaping CardNews,
        logger: Logger
    ) {
        self.database = database
        self.now = now
        self.news = news
        self.logger = logger
    }

    /// Looks at the database again soon; cheap, from any thread.
    package func wake() { alarm.ring() }

    /// Settles what is due until the task is cancelled. Call it once.
    func run() async {
        while !Task.isCancelled {
            var pause = Self.longestSleep
            do {
                if let next = try await settleDue() { pause = min(pause, max(.zero, next - now())) }
            } catch {
                logger.error("Cards that are due could not be settled", metadata: ["error": "\(error)"])
            }
            await alarm.sleep(atMost: pause)
        }
    }

    /// Settles everything that is due now; returns when something is due next.
    @discardableResult
    package func settleDue() async throws -> Timestamp? {
        while !Task.isCancelled {
            let moment = now()
            // A node that has nothing to do writes nothing.
            guard try await database.read({ try CardSettling.isAnyDue(at: moment, in: $0) }) else { break }
            let claim = UUID().uuidString
            guard try await claimDue(as: claim, at: moment) > 0 else { break }
            let changes = try await database.write {
                try CardSettling.settle(claimed: claim, at: moment, in: $0)
            }
            if !changes.isEmpty { await news(changes) }
        }
        // What is due already has been claimed by another node, and is looked at again in a while.
        let moment = now()
        return try await database.read { connection in
            try connection.row(
                "SELECT MIN(next_due_at) AS next FROM card_feeds WHERE next_due_at > ?", [.moment(moment)]
            )?.optionalMoment("next")
        }
    }

    /// Claims what is due in a transaction of its own, so that no lock is held while it is settled.
    func claimDue(as claim: String, at moment: Timestamp) async throws -> Int {
        try await database.write {
            try CardSettling.claimDue(claim, at: moment, limit: Self.piece, in: $0)
        }
    }
}
