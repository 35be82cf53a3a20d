import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The parts of the behaviors feature in one session.
final class BehaviorEngine: Sendable {
    static let lane = "behaviors"
    /// The minimum time between two automatic purges of settled events.
    private static let purgeInterval = Duration.seconds(3600)

    let session: SessionContext
    let configuration: BehaviorsConfiguration
    let store: BehaviorStore
    let recorder: BehaviorRecorder
    let sessions: AppSessions
    let links: DeepLinks
    let location: LocationCache?
    private let holds: BehaviorHolds
    let log: DebugLog
    private let starting = Locked<Task<Result<Void, any Error>, Never>?>(nil)
    private let isStarted = Locked(false)
    /// The task that registers the lane.
    private let ready: Task<Void, Never>

    init(_ session: SessionContext, _ configuration: BehaviorsConfiguration) {
        let (store, log, settings) = (BehaviorStore(session), session.log, configuration.settings)
        (self.session, self.configuration, self.store, self.log) = (session, configuration, store, log)
        let location = configuration.location.flatMap { source in
            settings.location.isEnabled
                ? LocationCache(source, settings.location, clock: session.clock, work: session.work) : nil
        }
        self.location = location
        var plugins: [any BehaviorAugmenter] = []
        if let location {
            plugins.append(CoordinatesAugmenter(locations: location, fields: settings.fields))
            plugins.append(PlaceAugmenter(locations: location, fields: settings.fields))
        }
        holds = BehaviorHolds(
            store: store, outbox: session.outbox,
            augmentation: Augmentation(
                plugins: plugins + configuration.augmenters, limit: settings.augmentationTimeout,
                clock: session.clock, work: session.work),
            codesWaitingForIdentity: configuration.startsWaitForIdentity
                ? [.installed, .sessionStarted] : [],
            work: session.work)
        let recorder = BehaviorRecorder(session, configuration, store: store, holds: holds)
        self.recorder = recorder
        links = DeepLinks(configuration.deepLinks) { log.operation("deep link: \($0)") }
        sessions = AppSessions(
            store: store, clock: session.clock, work: session.work, settings: settings
        ) { code, attributes, moment, state in
            _ = try await recorder.track(
                Behavior(code, attributes: attributes), at: recorder.serverTime(moment)
            ) { try BehaviorStore.set(AppSessions.key, state, in: $0) }
        }
        ready = Self.register(session, configuration, store, isClockOffsetKnown: recorder.isClockOffsetKnown)
        let holds = holds
        session.beforeLogOut { await holds.releaseAll() }
        // Ends when the state of earlier runs is loaded and its events are resumed.
        session.work.start { [weak self] in try? await self?.started() }
        follow(configuration.network)
    }

    /// Returns when the state of earlier runs is loaded. Tries again when an earlier attempt failed.
    func started() async throws(BehaviorError) {
        if isStarted.withLock({ $0 }) { return }
        let task = starting.withLock { starting in
            if let starting { return starting }
            let task = session.work.start { [self] () -> Result<Void, any Error> in
                do { return .success(try await start()) } catch { return .failure(error) }
            }
            starting = task
            return task
        }
        switch await task.value {
        case .success: isStarted.withLock { $0 = true }
        case .failure(let error):
            starting.withLock { if $0 == task { $0 = nil } }
            if let error = error as? BehaviorError { throw error }
            throw error as? StoreError == .loggedOut ? .loggedOut : .notStored(error)
        }
    }

    func track(
        _ behavior: Behavior, id: String? = nil, at time: Timestamp? = nil,
        with: BehaviorRecorder.Write? = nil
    ) async throws(BehaviorError) -> String {
        try await started()
        purgeIfDue()
        return try await recorder.track(behavior, id: id, at: time, with: with)
    }

    @discardableResult
    func flush() async -> Bool {
        guard (try? await started()) != nil else { return false }
        guard case .done = await session.outbox.flush(lane: Self.lane) else { return false }
        return true
    }

    /// Purges settled events and returns their number.
    @discardableResult
    func purge() async throws -> Int {
        let now = session.serverClock.now()
        let facts = recorder.memory.withLock { memory in
            memory.lastPurge = now
            return memory.facts?.row
        }
        let (aged, excess) = try await store.purge(
            before: now + (.zero - configuration.settings.eventLifespan),
            maximumCount: configuration.maximumHistory,
            facts: facts)
        if aged + excess > 0 {
            log.operation("behaviors: purged \(aged) settled events by age and \(excess) by number")
        }
        return aged + excess
    }

    /// Puts failed events into the outbox again, with all tries left, and returns their number.
    func requeueFailed(_ ids: Set<String>?) async throws -> Int {
        try await started()
        var count = 0
        for event in try await store.failed() where ids?.contains(event.id) ?? true {
            do {
                try await session.outbox.enqueue(
                    id: event.id, body: event.body, time: event.time, lane: Self.lane
                ) { try BehaviorStore.takeFailed(event.id, in: $0) }
                count += 1
            } catch is BehaviorStore.AlreadyRecorded {
                continue
            }
        }
        return count
    }

    private static func register(
        _ session: SessionContext, _ configuration: BehaviorsConfiguration, _ store: BehaviorStore,
        isClockOffsetKnown: Locked<Bool>
    ) -> Task<Void, Never> {
        let (settings, serverClock, outbox) = (configuration.settings, session.serverClock, session.outbox)
        let wire = BehaviorWire(
            store: store, network: configuration.network, serverClock: serverClock,
            isClockOffsetKnown: isClockOffsetKnown)
        let lane = OutboxLane(
            name: lane, carrier: wire, batchSize: 100, flushCount: settings.eventCacheSize, flushAfter: nil,
            maximumTries: settings.maximumRetries == 0 ? nil : settings.maximumRetries + 1,
            maximumBytes: configuration.maximumBytes,
            retry: RetryRule(first: .seconds(1), maximum: .seconds(3600)))
        return session.work.prepare {
            await outbox.register(lane) { try BehaviorStore.settle($1, at: serverClock.now(), in: $0) }
        }
    }

    private func start() async throws {
        await ready.value
        try await recorder.load()
        try await holds.resume(facts: recorder.knownFacts())
        try await recordInstallation()
        try await sessions.resume()
        try await purge()
    }

    /// Records the first start. The user's store marks it in the event's own transaction, the device's store
    /// afterwards for every later user.
    private func recordInstallation() async throws {
        guard configuration.tracksInstallation, try await !store.hasDeviceValue("installed") else { return }
        do {
            _ = try await recorder.track(Behavior(.installed)) {
                try BehaviorStore.setOnce("installed", in: $0)
            }
        } catch {
            guard error.cause is BehaviorStore.AlreadyRecorded else { throw error }
        }
        _ = try await store.deviceValue("installed") { "true" }
    }

    private func purgeIfDue() {
        let now = session.serverClock.now()
        let isDue = recorder.memory.withLock { memory in
            guard let last = memory.lastPurge, now - last >= Self.purgeInterval else { return false }
            memory.lastPurge = now
            return true
        }
        // Ends when the old events are deleted.
        if isDue { session.work.start { [weak self] in _ = try? await self?.purge() } }
    }

    private func follow(_ network: any NetworkStatus) {
        let changes = network.changes()
        // Ends with the stream of changes, and with the session.
        session.work.start { [weak self] in
            for await isReachable in changes where isReachable { await self?.flush() }
        }
    }
}
