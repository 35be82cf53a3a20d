import InlaySQL
import InlayWire
import Logging
import ServiceLifecycle

/// Makes embargoes end, snoozed cards return and cards expire at their moment, and tells the sockets.
///
/// Sleeps until the next moment in the database; whoever writes an earlier one calls ``wake()``. Every
/// node runs one: the work itself is done once, by whoever comes first. What a node slept through, because
/// another one wrote it, is found within ``longestSleep``.
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
            let feeds = try await database.read {
                try CardSettling.dueFeeds(at: moment, limit: Self.piece, in: $0)
            }
            guard !feeds.isEmpty else { break }
            let changes = try await database.write { connection in
                try feeds.flatMap { try CardSettling.settle($0, at: moment, in: connection) }
            }
            if !changes.isEmpty { await news(changes) }
        }
        return try await database.read { connection in
            try connection.row(
                "SELECT MIN(next_due_at) AS next FROM card_feeds WHERE next_due_at IS NOT NULL"
            )?.optionalMoment("next")
        }
    }
}
