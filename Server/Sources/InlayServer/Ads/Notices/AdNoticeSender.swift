import Foundation
import InlayWire
import Logging
import NIOConcurrencyHelpers

/// Tells buyers and apps' servers what the outbox holds, until each has answered.
///
/// Every node runs one; a notice is claimed before it is sent. It may arrive twice when a node dies between
/// the answer and writing it down, which is why ids are in the addresses and receivers count by them.
///
/// Each call ends by itself: rounds that end together would wait for the slowest buyer. Calls under way are shared by
/// all, so a buyer that answers nothing can take them up.
final class AdNoticeSender: Sendable {
    private struct Answered {
        var results: [(AdNotice, AdNoticeAnswer)] = []
        var isWritten = false
    }

    private static let longestSleep: Duration = .seconds(1)
    private static let piece = 128
    /// Calls under way at once; what hangs is gone after the client's time limit.
    private static let mostUnderWay = 1_024

    private let store: AdNoticeStore
    private let client: AdNoticeClient
    private let logger: Logger
    private let alarm = Alarm()
    private let underWay = NIOLockedValueBox(0)
    private let answered = NIOLockedValueBox(Answered())

    init(store: AdNoticeStore, allowsPrivate: Bool, logger: Logger) {
        self.store = store
        client = AdNoticeClient(allowsPrivate: allowsPrivate)
        self.logger = logger
    }

    /// Looks at the outbox again soon; cheap, from any thread.
    func wake() { alarm.ring() }

    /// Sends what is due until the task is cancelled. Call it once.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                var pause = Self.longestSleep
                do {
                    let due = try await claim()
                    for notice in due { group.addTask { await self.send(notice) } }
                    // There may be more.
                    if due.count == Self.piece { continue }
                    // Without room for more, the end of a call rings.
                    if !isFull, let next = try await store.nextDue() {
                        pause = min(pause, max(.zero, next - store.now()))
                    }
                } catch {
                    logger.warning("Notices could not be sent", metadata: ["error": "\(error)"])
                }
                await alarm.sleep(atMost: pause)
            }
        }
    }

    /// Ends the connections.
    func close() async { await client.close() }

    private var isFull: Bool { underWay.withLockedValue { $0 >= Self.mostUnderWay } }

    /// What is due, as far as there is room; counted as under way.
    private func claim() async throws -> [AdNotice] {
        let room = min(Self.piece, Self.mostUnderWay - underWay.withLockedValue { $0 })
        guard room > 0 else { return [] }
        let due = try await store.claimDue(limit: room)
        underWay.withLockedValue { $0 += due.count }
        return due
    }

    private func send(_ notice: AdNotice) async {
        let answer = await client.send(notice)
        let wasFull = underWay.withLockedValue { count in
            defer { count -= 1 }
            return count >= Self.mostUnderWay
        }
        if wasFull { alarm.ring() }
        let isFirst = answered.withLockedValue { answered in
            answered.results.append((notice, answer))
            defer { answered.isWritten = true }
            return !answered.isWritten
        }
        // Whoever comes first writes, in one transaction, what comes while the one before is written.
        if isFirst { while let results = nextResults() { await settle(results) } }
    }

    private func nextResults() -> [(AdNotice, AdNoticeAnswer)]? {
        answered.withLockedValue { answered in
            defer { answered.results = [] }
            answered.isWritten = !answered.results.isEmpty
            return answered.isWritten ? answered.results : nil
        }
    }

    private func settle(_ results: [(AdNotice, AdNoticeAnswer)]) async {
        do {
            try await store.settle(results)
        } catch {
            // Their claim ends, and they are sent again.
            logger.warning("Notices could not be settled", metadata: ["error": "\(error)"])
        }
    }
}
