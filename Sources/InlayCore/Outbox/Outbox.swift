package import Foundation
package import GRDB
@_spi(Inlay) package import InlayWire

/// A durable queue of items that must reach the server.
///
/// Delivery is at-least-once: an item leaves only after the server accepted or refused it, so a crash
/// in between sends it again. The server drops the copy by its id.
package actor Outbox {
    /// A feature's own writes when items are settled. They run in the transaction that removes the items, before the
    /// removal, so that a crash loses no outcome. Items dropped to free space for others, `DropReason.size`, are
    /// removed without them.
    package typealias Settle = @Sendable (Database, [OutboxSettlement]) throws -> Void

    private let session: SessionCore
    private let store: Store
    private let random: @Sendable () -> Double
    private let statistics = OutboxStatistics([:])
    private let sender: OutboxSender
    private let wakes: AsyncStream<Wake>
    private nonisolated let writer: OutboxWriter
    private var lanes: [String: Lane] = [:]
    private var observers = OutboxObservers()
    private var isEnded = false

    private enum Wake: Sendable {
        case lane(String)
        case dropped(String, [OutboxItem])
        case lost(String, Int)
    }

    private struct Lane {
        let rule: OutboxLane
        let settle: Settle?
        var flushTask: Task<OutboxFlush, Never>?
        var timer: Task<Void, Never>?
        var failures = 0
        var retryNotBefore: Timestamp?
        var limit: Int
    }

    init(session: SessionCore, store: Store, api: APIClient, random: @escaping @Sendable () -> Double) {
        self.session = session
        self.store = store
        self.random = random
        let (wakes, waker) = AsyncStream.makeStream(of: Wake.self)
        self.wakes = wakes
        sender = OutboxSender(store: store, api: api, statistics: statistics, clock: session.serverClock)
        writer = OutboxWriter(
            store: store, statistics: statistics, wake: { waker.yield(.lane($0)) },
            dropped: { waker.yield(.dropped($0, $1)) })
        store.register(OutboxTable.schema)
        store.onRenewal { [statistics] database in
            try statistics.withLock { lanes in
                for name in lanes.keys {
                    guard let lost = try lanes[name]?.reload(database), lost > 0 else { continue }
                    waker.yield(.lost(name, lost))
                }
            }
        }
    }

    /// Handles the wake-ups of the lanes until cancelled.
    func run() async {
        for await wake in wakes {
            switch wake {
            case .lane(let name): scheduleFlush(name)
            case .dropped(let name, let items):
                announce(items.map { .dropped(id: $0.id, .size) }, name)
            case .lost(let name, let count): OutboxLosses(lost: count).announce(lane: name, session)
            }
        }
    }

    /// Adds a lane and starts sending the items that an earlier run left in it.
    ///
    /// Registering the same name again changes nothing.
    package func register(_ rule: OutboxLane, settle: Settle? = nil) {
        guard lanes[rule.name] == nil, !isEnded else { return }
        lanes[rule.name] = Lane(rule: rule, settle: settle, limit: rule.batchSize)
        statistics.withLock { $0[rule.name] = OutboxLaneStatistics(lane: rule) }
        // Ends when the lane's items were counted; log-out cancels it.
        session.work.start { [weak self] in await self?.resume(rule.name) }
    }

    /// Resumes every lane with the items of an earlier run, once the user is known.
    func resumeAll() {
        for name in lanes.keys {
            session.work.start { [weak self] in await self?.resume(name) }
        }
    }

    /// Stores an item; returns after the commit.
    ///
    /// `with` writes what belongs to the item in the same transaction; when it throws, neither is
    /// stored. Throws `OutboxError` or `StoreError`.
    package nonisolated func enqueue<Item: Encodable & Identifiable & Sendable>(
        _ item: Item, lane: String, with: (@Sendable (Database) throws -> Void)? = nil
    ) async throws where Item.ID == String {
        try await enqueue(
            id: item.id, body: try JSONEncoder().encode(item), time: session.serverClock.now(), lane: lane,
            with: with)
    }

    /// Stores an item whose body has the format that the lane's carrier reads. While the session logs out, only the
    /// work of `beforeLogOut` may add items, with `atLogOut`.
    package nonisolated func enqueue(
        id: String, body: Data, time: Timestamp, lane: String, atLogOut: Bool = false,
        with: (@Sendable (Database) throws -> Void)? = nil
    ) async throws {
        let phase = session.state.current
        guard phase == .active || atLogOut && phase == .loggingOut else { throw OutboxError.loggedOut }
        guard statistics.withLock({ $0[lane] != nil }) else { throw OutboxError.unknownLane(lane) }
        guard body.count <= OutboxSender.maximumBodyBytes - 1000 else {
            throw OutboxError.itemTooLarge(bytes: body.count)
        }
        try await writer.append(lane: lane, id: id, time: time, body: body, with: with)
    }

    /// Sends the items of the lane; returns when they are gone or sending failed.
    ///
    /// Does not wait for a back-off to end. While a `Retry-After` of the server lasts, nothing is sent, and the result
    /// is `.stopped` with an `OutboxRetryDelay`.
    @discardableResult
    package func flush(lane name: String) async -> OutboxFlush {
        while let lane = lanes[name], !isEnded {
            if let flushTask = lane.flushTask {
                let result = await flushTask.value
                // The flush may have found the lane empty just before the item of this call came.
                guard case .done = result, count(name) > 0 else { return result }
            } else if let until = lane.retryNotBefore, session.clock.now() < until {
                return .stopped(OutboxRetryDelay(until: until))
            } else {
                return await startFlush(name).value
            }
        }
        return .done
    }

    /// Flushes every lane; returns the first failure, if any.
    package func flushAll() async -> OutboxFlush {
        var result = OutboxFlush.done
        for name in lanes.keys.sorted() {
            if case .stopped(let error) = await flush(lane: name), case .done = result {
                result = .stopped(error)
            }
        }
        return result
    }

    /// Returns the outcomes of the lane's items from now on. Ends at log-out.
    package func outcomes(lane: String) -> AsyncStream<OutboxOutcome> {
        guard !isEnded else { return AsyncStream { $0.finish() } }
        let work = session.work
        return observers.observe(lane: lane) { [weak self] id in
            // Ends as soon as the actor is free.
            work.start { [weak self] in await self?.removeObserver(id) }
        }
    }

    /// Returns the items that wait in a lane, in order.
    package func pending(lane: String) async throws -> [OutboxItem] {
        try await store.read { try OutboxTable.oldest(lane, limit: .max, $0) }
    }

    /// Whether nothing waits in any registered lane.
    package var isEmpty: Bool {
        get async throws { try await store.read(OutboxTable.lanes).allSatisfy { lanes[$0] == nil } }
    }

    /// Registers the lanes in which an earlier run left items and whose feature this run has not used, so that a flush
    /// sends them too. Returns the name of a lane that only its feature can send, if there is any.
    func registerAbandonedLanes() async throws -> String? {
        let left = try await store.read { try OutboxTable.storedLanes($0) }
        for note in left where lanes[note.name] == nil {
            guard let path = note.path else { continue }
            register(OutboxLane(name: note.name, path: path, batchSize: note.batchSize))
        }
        return left.first { lanes[$0.name] == nil }?.name
    }

    /// Ends sending and every observer; the items stay in the store.
    func end() {
        isEnded = true
        for lane in lanes.values {
            lane.timer?.cancel()
            lane.flushTask?.cancel()
        }
        lanes = [:]
        statistics.withLock { $0 = [:] }
        observers.end()
    }
}

// MARK: - Sending

extension Outbox {
    private func resume(_ name: String) async {
        guard let lane = lanes[name] else { return }
        let statistics = statistics
        do {
            // On the writer's queue, so that no commit comes between counting and noting the count.
            try await store.write { database in
                try statistics.withLock { try $0[lane.rule.name]?.load(database) }
            }
        } catch {
            // The user may still be unknown; the first token calls this method again.
            session.log.detail("outbox \(name): cannot look at it yet")
            return
        }
        scheduleFlush(name)
    }

    private func scheduleFlush(_ name: String) {
        guard let lane = lanes[name], lane.flushTask == nil, lane.failures == 0 else { return }
        switch statistics.withLock({ $0[name]?.needed ?? .none }) {
        case .none: break
        case .timed: arm(name, after: lane.rule.flushAfter ?? .zero)
        case .urgent: startFlush(name)
        }
    }

    private func arm(_ name: String, after delay: Duration) {
        guard lanes[name]?.timer == nil else { return }
        let clock = session.clock
        lanes[name]?.timer = session.work.start { [weak self] in
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await self?.timerFired(name)
        }
    }

    private func timerFired(_ name: String) {
        guard let lane = lanes[name] else { return }
        lanes[name]?.timer = nil
        if lane.flushTask == nil { startFlush(name) }
    }

    @discardableResult
    private func startFlush(_ name: String) -> Task<OutboxFlush, Never> {
        lanes[name]?.timer?.cancel()
        lanes[name]?.timer = nil
        statistics.withLock { statistics in
            statistics[name]?.urgency = .urgent
            statistics[name]?.hasLeftovers = false
        }
        // Ends when the lane is empty or sending failed; `end()` cancels it. One per lane: every `await` lets other
        // calls in, and two flushes would send the same items.
        let flushTask = session.work.start { [weak self] in await self?.runFlush(name) ?? .done }
        lanes[name]?.flushTask = flushTask
        return flushTask
    }

    private func runFlush(_ name: String) async -> OutboxFlush {
        while let lane = lanes[name], !Task.isCancelled {
            switch await sender.deliver(lane.rule, limit: lane.limit, settle: lane.settle) {
            case .empty: return finishFlush(name)
            case .smaller(let limit): lanes[name]?.limit = limit
            case .settled(let outcomes):
                lanes[name]?.failures = 0
                lanes[name]?.retryNotBefore = nil
                lanes[name]?.limit = min(lane.rule.batchSize, lane.limit * 2)
                announce(outcomes, name)
            case .spent(let outcomes, let error, let retryAfter):
                announce(outcomes, name)
                return stopped(name, error, retryAfter)
            case .failed(let error, let retryAfter): return stopped(name, error, retryAfter)
            }
        }
        return .stopped(OutboxError.loggedOut)
    }

    private func finishFlush(_ name: String) -> OutboxFlush {
        lanes[name]?.flushTask = nil
        lanes[name]?.failures = 0
        let needed = statistics.withLock { statistics in
            let needed = statistics[name]?.needed ?? .none
            statistics[name]?.inFlightThrough = 0
            statistics[name]?.urgency = needed
            return needed
        }
        if needed != .none { scheduleFlush(name) }
        return .done
    }

    private func stopped(_ name: String, _ error: any Error, _ retryAfter: Duration?) -> OutboxFlush {
        guard var lane = lanes[name] else { return .stopped(error) }
        lane.flushTask = nil
        lane.failures += 1
        let backOff = lane.rule.retry.delay(failures: lane.failures, random: random())
        lane.retryNotBefore = retryAfter.map { session.clock.now() + $0 }
        lanes[name] = lane
        statistics.withLock { $0[name]?.inFlightThrough = 0 }
        let delay = max(backOff, retryAfter ?? .zero)
        session.log.operation("outbox \(name): kept after failure \(lane.failures), next try in \(delay)")
        arm(name, after: delay)
        return .stopped(error)
    }

    private func announce(_ outcomes: [OutboxOutcome], _ name: String) {
        observers.notify(outcomes, lane: name)
        OutboxLosses(outcomes).announce(lane: name, session)
    }

    private func count(_ name: String) -> Int { statistics.withLock { $0[name]?.count ?? 0 } }

    private func removeObserver(_ id: Int) { observers.remove(id) }
}
