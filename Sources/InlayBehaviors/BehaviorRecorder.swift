import Foundation
import GRDB
import InlayCore
@_spi(Inlay) import InlayWire

/// The recorder of events: composes an event and stores it in HOLD or in the outbox.
final class BehaviorRecorder: Sendable {
    typealias Write = @Sendable (Database) throws -> Void

    static let campaignKey = "campaign"
    static let identityKey = "identity"

    let store: BehaviorStore
    let memory = Locked(BehaviorMemory())
    /// Whether the offset of the device's clock is known, because the server has answered a batch.
    let isClockOffsetKnown = Locked(false)
    private let session: SessionContext
    private let configuration: BehaviorsConfiguration
    private let composer: BehaviorComposer
    private let holds: BehaviorHolds

    init(
        _ session: SessionContext, _ configuration: BehaviorsConfiguration, store: BehaviorStore,
        holds: BehaviorHolds
    ) {
        (self.session, self.configuration, self.store, self.holds) = (session, configuration, store, holds)
        composer = BehaviorComposer(settings: configuration.settings)
        store.database.onRenewal { [memory] database in
            let memory = memory.withLock { $0 }
            // Before `load` the memory has nothing of an earlier run.
            guard !memory.deviceID.isEmpty else { return }
            try BehaviorStore.set(Self.campaignKey, memory.campaign, in: database)
            try BehaviorStore.set(Self.identityKey, memory.identity, in: database)
        }
    }

    /// Loads the campaign, the identity and the device id of earlier runs. Called before the first event.
    func load() async throws {
        let campaign = try await store.value(Self.campaignKey, as: CampaignState.self)
        let identity = try await store.value(Self.identityKey, as: BehaviorIdentity.self)
        let time = session.clock.now()
        var deviceID = configuration.device.id ?? ""
        if deviceID.isEmpty {
            deviceID = try await store.deviceValue("device-id") { UUIDv7.make(at: time) }
        }
        let id = deviceID
        memory.withLock { memory in
            memory.campaign = campaign ?? memory.campaign
            memory.identity = identity ?? memory.identity
            memory.deviceID = id
        }
    }

    /// Stores an event and returns its id after the commit. `with` writes further data in the same transaction.
    func track(
        _ behavior: Behavior, id: String? = nil, at time: Timestamp? = nil, with: Write? = nil
    ) async throws(BehaviorError) -> String {
        let (event, isKnown) = try await compose(behavior, id: id, at: time)
        do {
            if isKnown, holds.hasEventsWaitingForIdentity { await holds.userBecameKnown(facts: event.facts) }
            if holds.isNeeded(event, isKnown: isKnown),
                try await holds.hold(event, isKnown: isKnown, with: with)
            {
                // The user may be known since the event was composed. An error leaves the event in HOLD.
                if !isKnown { try? await continueWaiting() }
                return event.id
            }
            try await session.outbox.enqueue(
                id: event.id, body: event.body, time: event.time, lane: BehaviorEngine.lane, with: with)
            return event.id
        } catch OutboxError.loggedOut, StoreError.loggedOut {
            throw .loggedOut
        } catch {
            throw .notStored(error)
        }
    }

    /// Returns the event as it would be sent now, with the current facts, without storing it.
    func preview(
        _ behavior: Behavior, id: String? = nil, at time: Timestamp? = nil
    ) throws(BehaviorError) -> BehaviorEvent {
        let memory = memory.withLock { $0 }
        let composed = try composer.compose(
            behavior, id: id, at: time ?? session.serverClock.now(), campaign: memory.campaign, facts: 0)
        return composed.event(facts(identity, deviceID: memory.deviceID, isTimed: true), offset: .zero)
    }

    /// Returns the event, and whether the user is known in its facts.
    private func compose(
        _ behavior: Behavior, id: String?, at time: Timestamp?
    ) async throws(BehaviorError) -> (event: OutboxBehavior, isKnown: Bool) {
        let identity = identity
        let facts: Int64
        do { facts = try await factsRow(identity) } catch { throw .notStored(error) }
        let now = session.serverClock.now()
        let (campaign, moment) = memory.withLock { ($0.campaign, time ?? $0.moment(now)) }
        let event = try composer.compose(behavior, id: id, at: moment, campaign: campaign, facts: facts)
        return (event, identity.isKnown)
    }

    private func facts(_ identity: BehaviorIdentity, deviceID: String, isTimed: Bool) -> SharedFacts {
        SharedFacts(configuration.device, configuration.app, identity, deviceID: deviceID, isTimed: isTimed)
    }

    /// Begins the campaign that the parameters name, and returns the write that stores it, if anything changed.
    func beginCampaign(_ parameters: [String: String]) -> Write? {
        let (now, settings) = (session.serverClock.now(), configuration.settings)
        return memory.withLock { memory -> Write? in
            guard memory.campaign.begin(parameters, at: now, settings) else { return nil }
            let campaign = memory.campaign
            return { try BehaviorStore.set(Self.campaignKey, campaign, in: $0) }
        }
    }

    /// Converts a time of the device's clock to the server's clock.
    func serverTime(_ moment: Timestamp) -> Timestamp {
        session.serverClock.now() + (moment - session.clock.now())
    }

    var identity: BehaviorIdentity { configuration.identity?() ?? memory.withLock { $0.identity } }

    func setIdentity(_ identity: BehaviorIdentity) async throws {
        try await store.database.write { try BehaviorStore.set(Self.identityKey, identity, in: $0) }
        memory.withLock { $0.identity = identity }
        try await continueWaiting()
    }

    /// Continues with the events that waited for the user, if the user is known now.
    private func continueWaiting() async throws {
        guard holds.hasEventsWaitingForIdentity, let facts = try await knownFacts() else { return }
        await holds.userBecameKnown(facts: facts)
    }

    /// Returns the row of the current facts; `nil` while the user is not known.
    func knownFacts() async throws -> Int64? {
        let identity = identity
        guard identity.isKnown else { return nil }
        return try await factsRow(identity)
    }

    /// Returns the row of the current facts, which are stored when they are new.
    private func factsRow(_ identity: BehaviorIdentity) async throws -> Int64 {
        let isTimed = isClockOffsetKnown.withLock { $0 } || session.serverClock.currentOffset != .zero
        let (known, deviceID) = memory.withLock { ($0.facts, $0.deviceID) }
        if let known, known.identity == identity, known.isTimed == isTimed { return known.row }
        let row = try await store.id(of: facts(identity, deviceID: deviceID, isTimed: isTimed))
        memory.withLock { $0.facts = .init(identity: identity, isTimed: isTimed, row: row) }
        return row
    }
}

/// Values that an event needs without waiting for the store.
struct BehaviorMemory: Sendable {
    /// The row of the current facts, and the values that decide whether it is still current.
    struct Facts: Sendable {
        var identity: BehaviorIdentity
        var isTimed: Bool
        var row: Int64
    }

    var facts: Facts?
    var campaign = CampaignState()
    var identity = BehaviorIdentity()
    var deviceID = ""
    var lastPurge: Timestamp?
    private var lastMoment = Timestamp(microseconds: .min)

    /// Returns a time that no other event of this run has, so that events within one tick of the clock keep their
    /// order. After the clock was set back by more than a second, the new time is used.
    mutating func moment(_ now: Timestamp) -> Timestamp {
        let isTie = now <= lastMoment && lastMoment < now + .seconds(1)
        lastMoment = isTie ? lastMoment + .microseconds(1) : now
        return lastMoment
    }
}
