import Foundation
import InlayWire
import Logging
import NIOConcurrencyHelpers

/// Tells buyers and apps' servers what the outbox holds, until each has answered.
///
/// Every node runs one; a notice is claimed before it is sent. It may arrive twice when a node dies between
/// the answer and writing it down, which is why ids are in the addresses and receivers count by them.
///
/// Each call ends by itself, and each lane has its share of the calls: who does not answer holds up nobody else.
final class AdNoticeSender: Sendable {
    /// Makes one call, which must end well before a claim does.
    typealias Call = @Sendable (AdNotice) async -> AdNoticeAnswer

    private struct Answered {
        var results: [(AdNotice, AdNoticeAnswer)] = []
        var isWritten = false
    }

    private static let longestSleep: Duration = .seconds(1)
    private static let piece = 128

    private let store: AdNoticeStore
    private let logger: Logger
    private let call: Call
    private let alarm = Alarm()
    private let slots = NIOLockedValueBox(AdNoticeSlots())
    private let answered = NIOLockedValueBox(Answered())

    init(store: AdNoticeStore, logger: Logger, call: @escaping Call) {
        self.store = store
        self.logger = logger
        self.call = call
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
                    // A call ends by itself, or is cancelled with this; who was not told then is told later.
                    for notice in due.notices { group.addTask { await self.send(notice) } }
                    // There may be more.
                    if !due.notices.isEmpty { continue }
                    // What has no room now is not among them: the end of a call rings.
                    if let next = due.next { pause = min(pause, max(.zero, next - store.now())) }
                } catch {
                    logger.warning("Notices could not be sent", metadata: ["error": "\(error)"])
                }
                await alarm.sleep(atMost: pause)
            }
        }
    }

    /// What is due, as far as there is room; counted as under way.
    private func claim() async throws -> AdNoticeStore.Due {
        // Only calls that end change it meanwhile, and they make room.
        let due = try await store.claimDue(slots.withLockedValue { $0 }, most: Self.piece)
        slots.withLockedValue { slots in
            for notice in due.notices { slots.enter(notice.lane) }
        }
        return due
    }

    private func send(_ notice: AdNotice) async {
        let answer = await call(notice)
        if slots.withLockedValue({ $0.leave(notice.lane, isSilent: answer.isSilent) }) { alarm.ring() }
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
