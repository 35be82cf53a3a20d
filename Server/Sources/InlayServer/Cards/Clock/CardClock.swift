import InlaySQL
import InlayWire
import Logging
import NIOConcurrencyHelpers
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
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init(
        database: any SQLDatabase, now: @escaping @Sendable () -> Timestamp, news: @escaping CardNews,
        logger: Logger
    ) {
        self.database = database
        self.now = now
        self.news = news
        self.logger = logger
        // One is enough: whoever wakes looks at everything.
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks at the database again soon; cheap, from any thread.
    package func wake() { waker.yield() }

    /// Settles what is due until the task is cancelled. Call it once.
    func run() async {
        while !Task.isCancelled {
            var pause = Self.longestSleep
            do {
                if let next = try await settleDue() { pause = min(pause, max(.zero, next - now())) }
            } catch {
                logger.error("Cards that are due could not be settled", metadata: ["error": "\(error)"])
            }
            await sleep(pause)
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

    private func sleep(_ pause: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            // Only cancellation ends the sleep early, and both children end with this group.
            group.addTask { try? await Task.sleep(for: pause, tolerance: .milliseconds(1)) }
            group.addTask { [wakes] in for await _ in wakes { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
