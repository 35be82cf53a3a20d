import Foundation
import InlayCore
import InlayWire

/// The parts of the behaviors feature in one session.
final class BehaviorEngine: Sendable {
    let session: InlaySession
    private let ready: Task<Void, Never>
    static let lane = "behaviors"

    init(_ session: InlaySession) {
        self.session = session
        let outbox = session.outbox
        // Ends once the lane is there.
        ready = session.work.start {
            await outbox.register(
                OutboxLane(
                    name: Self.lane, wire: BehaviorWire(), batchSize: 100, flushCount: 3, flushAfter: nil,
                    maximumTries: 4, retry: RetryRule(first: .seconds(1), longest: .seconds(3600))))
        }
    }

    func track(_ behavior: Behavior) async throws(BehaviorError) -> String {
        await ready.value
        let now = session.serverClock.now()
        let event = BehaviorEvent(
            id: UUIDv7.make(at: now), eventTypeCode: behavior.code.text, eventTimestamp: now.rfc3339,
            attributes: behavior.attributes.sorted { $0.key < $1.key }.map {
                BehaviorEvent.Attribute(name: $0.key, value: $0.value.string ?? "")
            })
        do { try await session.outbox.enqueue(event, lane: Self.lane) } catch { throw .notStored(error) }
        return event.id
    }

    func flush() async { await session.outbox.flush(lane: Self.lane) }
}
