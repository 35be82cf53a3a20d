import Foundation
import InlayWire
import Logging

/// Tells buyers and apps' servers what the outbox holds, until each has answered.
///
/// Every node runs one; a notice is claimed before it is sent. It may arrive twice when a node dies between
/// the answer and writing it down, which is why ids are in the addresses and receivers count by them.
final class AdNoticeSender: Sendable {
    private static let longestSleep: Duration = .seconds(1)
    private static let piece = 128

    private let store: AdNoticeStore
    private let client: AdNoticeClient
    private let logger: Logger
    private let alarm = Alarm()

    init(store: AdNoticeStore, allowsPrivate: Bool, logger: Logger) {
        self.store = store
        client = AdNoticeClient(allowsPrivate: allowsPrivate)
        self.logger = logger
    }

    /// Looks at the outbox again soon; cheap, from any thread.
    func wake() { alarm.ring() }

    /// Sends what is due until the task is cancelled. Call it once.
    func run() async {
        while !Task.isCancelled {
            var pause = Self.longestSleep
            do {
                while try await sendDue() == Self.piece, !Task.isCancelled {}
                if let next = try await store.nextDue() { pause = min(pause, max(.zero, next - store.now())) }
            } catch {
                logger.warning("Notices could not be sent", metadata: ["error": "\(error)"])
            }
            await alarm.sleep(atMost: pause)
        }
    }

    /// Ends the connections.
    func close() async { await client.close() }

    /// Sends those that are due now; how many there were.
    @discardableResult
    func sendDue() async throws -> Int {
        let due = try await store.claimDue(limit: Self.piece)
        guard !due.isEmpty else { return 0 }
        let results = await withTaskGroup(of: (AdNotice, AdNoticeAnswer).self) { group in
            for notice in due {
                group.addTask { [client] in (notice, await client.send(notice)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await store.settle(results)
        return due.count
    }
}
