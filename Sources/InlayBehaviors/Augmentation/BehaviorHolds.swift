import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The events in HOLD: each is stored, processed by the plug-ins, and moved to the outbox.
/// Some of them first wait until the user is identified.
///
/// A row leaves HOLD in the transaction that puts the event into the outbox, so that after a crash at any time the
/// event is in exactly one of the two.
actor BehaviorHolds {
    /// The maximum number of events in HOLD. Further events are sent without the plug-ins and without waiting.
    static let maximumCount = 1000

    private let store: BehaviorStore
    private let outbox: Outbox
    private let augmentation: Augmentation
    private let work: SessionWork
    private let codesWaitingForIdentity: Set<String>
    private nonisolated let isAnyWaiting = Locked(false)
    private nonisolated let held = Locked<[String: OutboxBehavior]>([:])
    /// The ids of the events in `held` that wait until the user is identified.
    private var waitingForIdentity: Set<String> = [] {
        didSet { isAnyWaiting.withLock { $0 = !waitingForIdentity.isEmpty } }
    }

    /// - Parameter codesWaitingForIdentity: the codes of the events that wait until the user is identified.
    init(
        store: BehaviorStore, outbox: Outbox, augmentation: Augmentation,
        codesWaitingForIdentity: Set<BehaviorCode>,
        work: SessionWork
    ) {
        (self.store, self.outbox, self.augmentation, self.work) = (store, outbox, augmentation, work)
        self.codesWaitingForIdentity = Set(codesWaitingForIdentity.map(\.text))
        store.database.onRenewal { [held] database in
            for event in held.withLock({ $0.values }) { try BehaviorStore.hold(event, in: database) }
        }
    }

    /// Whether an event must be held. Without a call to the actor, so that other events do not wait for it.
    nonisolated func isNeeded(_ event: OutboxBehavior, isKnown: Bool) -> Bool {
        !augmentation.plugins.isEmpty || !isKnown && codesWaitingForIdentity.contains(event.code)
    }

    /// Whether events wait until the user is identified.
    nonisolated var hasEventsWaitingForIdentity: Bool { isAnyWaiting.withLock { $0 } }

    /// Stores an event in HOLD and starts the plug-ins, unless it waits for the user. Returns `false` if HOLD is full.
    func hold(
        _ event: OutboxBehavior, isKnown: Bool, with: (@Sendable (Database) throws -> Void)?
    ) async throws -> Bool {
        guard held.withLock({ $0.count }) < Self.maximumCount else { return false }
        held.withLock { $0[event.id] = event }
        do { try await store.hold(event, with: with) } catch {
            held.withLock { $0[event.id] = nil }
            throw error
        }
        begin(event, isKnown: isKnown)
        return true
    }

    /// Continues with the events that an earlier run left in HOLD; each has the whole time limit again.
    ///
    /// - Parameter facts: the row of the current facts; `nil` while the user is not known.
    func resume(facts: Int64?) async throws {
        let stored = try await store.held()
        let factsOfRows = try await store.facts(Set(stored.map(\.facts)))
        for found in stored where held.withLock({ $0[found.id] == nil }) {
            var event = found
            var isKnown = factsOfRows[found.facts]?.isUserKnown ?? false
            if !isKnown, let facts, codesWaitingForIdentity.contains(event.code) {
                (event.facts, isKnown) = (facts, true)
            }
            held.withLock { [event] in $0[event.id] = event }
            begin(event, isKnown: isKnown)
        }
    }

    /// Starts the plug-ins for the events that waited for the user, with the current facts.
    func userBecameKnown(facts: Int64) {
        let waiting = held.withLock { held in waitingForIdentity.compactMap { held[$0] } }
            .sorted { $0.time < $1.time }
        waitingForIdentity = []
        for var event in waiting {
            event.facts = facts
            held.withLock { [event] in $0[event.id] = event }
            augment(event)
        }
    }

    private func begin(_ event: OutboxBehavior, isKnown: Bool) {
        if !isKnown, codesWaitingForIdentity.contains(event.code) {
            waitingForIdentity.insert(event.id)
        } else {
            augment(event)
        }
    }

    /// Moves all events to the outbox as they are, because the log-out waits for no plug-in.
    func releaseAll() async {
        for event in held.withLock({ $0.values.sorted { $0.time < $1.time } }) {
            // Fails for an event that was moved to the outbox meanwhile.
            try? await enqueue(event, atLogOut: true)
        }
        held.withLock { $0 = [:] }
        waitingForIdentity = []
    }

    private func enqueue(_ event: OutboxBehavior, atLogOut: Bool = false) async throws {
        let id = event.id
        try await outbox.enqueue(
            id: id, body: event.body, time: event.time, lane: BehaviorEngine.lane, atLogOut: atLogOut
        ) { try BehaviorStore.release(id, in: $0) }
    }

    private func augment(_ event: OutboxBehavior) {
        let (augmentation, work) = (augmentation, work)
        // Ends when the event is released; log-out and the end of the session cancel it.
        work.start { [weak self] in
            let plain = BehaviorEvent(
                id: event.id, eventTypeCode: event.code, eventTimestamp: event.time.rfc3339,
                attributes: event.attributes)
            let result = await augmentation.run(plain)
            // When the session ends, the event stays in HOLD for the next run. The plug-ins may have been cancelled
            // before this task is.
            guard !work.isEnded, !Task.isCancelled else { return }
            await self?.release(event, result)
        }
    }

    private func release(_ event: OutboxBehavior, _ result: BehaviorEvent) async {
        var changed = event
        changed.attributes = result.attributes.storable
        // An event that the plug-ins made too large is sent without their changes.
        if (try? BehaviorLimits.check(changed)) == nil { changed = event }
        var failures = 0
        while !Task.isCancelled {
            do {
                try await enqueue(changed)
                break
            } catch is BehaviorStore.AlreadyRecorded {
                break
            } catch OutboxError.loggedOut {
                break
            } catch {
                // For example a full disk. The row stays in HOLD until the next attempt.
                failures += 1
                let wait = RetryRule().delay(failures: failures, random: 1)
                guard (try? await augmentation.clock.sleep(for: wait)) != nil else { break }
            }
        }
        held.withLock { $0[event.id] = nil }
    }
}
