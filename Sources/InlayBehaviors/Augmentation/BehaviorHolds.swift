import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The events in HOLD: every one is stored, given to the plug-ins, and moved to the outbox.
/// Some wait before that until the user is identified.
///
/// A row leaves HOLD in the transaction that puts the event into the outbox, so whenever the app dies the
/// event is in exactly one of the two.
actor BehaviorHolds {
    /// More than this are not held; they go as they are.
    static let maximumCount = 1000

    private let store: BehaviorStore
    private let outbox: Outbox
    private let augmentation: Augmentation
    private let work: SessionWork
    private let personal: Set<String>
    private nonisolated let hasAnonymous = Locked(false)
    private nonisolated let held = Locked<[String: OutboxBehavior]>([:])
    /// Those of `held` that wait for a person.
    private var anonymous: Set<String> = [] {
        didSet { hasAnonymous.withLock { $0 = !anonymous.isEmpty } }
    }

    /// Holds for plug-ins, and events of the `personal` codes until a person is known.
    init(
        store: BehaviorStore, outbox: Outbox, augmentation: Augmentation, personal: Set<BehaviorCode>,
        work: SessionWork
    ) {
        (self.store, self.outbox, self.augmentation, self.work) = (store, outbox, augmentation, work)
        self.personal = Set(personal.map(\.text))
        store.database.onRenewal { [held] database in
            for event in held.withLock({ $0.values }) { try BehaviorStore.hold(event, in: database) }
        }
    }

    /// Whether an event must wait; one that need not does not even take its turn here.
    nonisolated func isNeeded(_ event: OutboxBehavior, isKnown: Bool) -> Bool {
        !augmentation.plugins.isEmpty || !isKnown && personal.contains(event.code)
    }

    /// Whether events wait until the user is identified.
    nonisolated var hasAnonymousEvents: Bool { hasAnonymous.withLock { $0 } }

    /// Stores an event in HOLD and starts the plug-ins, unless it waits for a person; false when it must
    /// go without them.
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

    /// Goes on with what an earlier run left in HOLD; each event has the whole time again.
    func resume(isKnown: Bool) async throws {
        for event in try await store.held() where held.withLock({ $0[event.id] == nil }) {
            held.withLock { $0[event.id] = event }
            begin(event, isKnown: isKnown)
        }
    }

    /// Lets go on what waited for a person, with the facts that hold now.
    func userBecameKnown(facts: Int64) {
        let waiting = held.withLock { held in anonymous.compactMap { held[$0] } }
            .sorted { $0.time < $1.time }
        anonymous = []
        for var event in waiting {
            event.facts = facts
            held.withLock { [event] in $0[event.id] = event }
            augment(event)
        }
    }

    private func begin(_ event: OutboxBehavior, isKnown: Bool) {
        if !isKnown, personal.contains(event.code) {
            anonymous.insert(event.id)
        } else {
            augment(event)
        }
    }

    /// Lets everything go as it was handed over: the user leaves, and waits for no plug-in.
    func releaseAll() async {
        for event in held.withLock({ $0.values.sorted { $0.time < $1.time } }) {
            // One that its plug-ins have just let go is in the outbox already.
            try? await enqueue(event, atLogOut: true)
        }
        held.withLock { $0 = [:] }
        anonymous = []
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
            // A session that ends is no time-out: the next run begins again. Its end may have reached the plug-ins
            // before this task.
            guard !work.isEnded, !Task.isCancelled else { return }
            await self?.release(event, result)
        }
    }

    private func release(_ event: OutboxBehavior, _ result: BehaviorEvent) async {
        var changed = event
        changed.attributes = result.attributes
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
                // A full disk, for one. The row stays in HOLD meanwhile.
                failures += 1
                let wait = RetryRule().delay(failures: failures, random: 1)
                guard (try? await augmentation.clock.sleep(for: wait)) != nil else { break }
            }
        }
        held.withLock { $0[event.id] = nil }
    }
}
