import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

extension InlaySession {
    /// The behaviors of this session's user. Starts with the defaults when the app did not start it before.
    public var behaviors: Behaviors {
        Behaviors(feature(BehaviorEngine.self) { BehaviorEngine($0, BehaviorsConfiguration()) })
    }

    /// Starts the feature with the app's configuration, before anything else uses `behaviors`.
    ///
    /// Whatever used it first decided: a later configuration changes nothing.
    @discardableResult
    public func startBehaviors(_ configuration: BehaviorsConfiguration) -> Behaviors {
        Behaviors(feature(BehaviorEngine.self) { BehaviorEngine($0, configuration) })
    }
}

/// Behaviors: events of what users do, delivered to the server once, also after a crash.
///
/// ```swift
/// try await session.behaviors.track(.named("Timetable viewed", attributes: ["from": "Kirkwall"]))
/// ```
/// An event is in exactly one of four states, which `stored` shows. It is sent when enough wait, when
/// the app is left, or by `postEventCache`.
public struct Behaviors: Sendable {
    let engine: BehaviorEngine

    init(_ engine: BehaviorEngine) { self.engine = engine }

    /// Stores an event; returns its id when it is safe from a crash. It is sent when it can be.
    @discardableResult
    public func track(_ behavior: Behavior) async throws(BehaviorError) -> String {
        try await engine.track(behavior)
    }

    /// The event as `track` would store it and the server would get it now, without storing it.
    public func preview(_ behavior: Behavior) async throws(BehaviorError) -> BehaviorEvent {
        try await engine.started()
        return try engine.recorder.preview(behavior)
    }

    /// Tracks with an id (UUIDv7) and a moment of the server's clock that the caller made.
    @discardableResult
    package func track(
        _ behavior: Behavior, id: String, at time: Timestamp
    ) async throws(BehaviorError) -> String {
        try await engine.track(behavior, id: id, at: time)
    }

    /// The event as it would be sent now, without waiting; before the start is through, what earlier runs
    /// left (campaign, device id, identity) is missing.
    package func previewNow(
        _ behavior: Behavior, id: String, at time: Timestamp
    ) throws(BehaviorError) -> BehaviorEvent {
        try engine.recorder.preview(behavior, id: id, at: time)
    }

    /// Sends all that is ready, however little; false when something could not be sent.
    ///
    /// Events in HOLD stay. Nothing is sent, and nothing fails, when nothing waits.
    @discardableResult
    public func postEventCache() async -> Bool { await engine.flush() }

    /// The events that this device keeps, oldest first.
    public func stored(
        _ states: Set<StoredBehavior.State> = Set(StoredBehavior.State.allCases)
    ) async throws(BehaviorError) -> [StoredBehavior] {
        try await engine.started()
        do {
            return try await engine.store.stored(states, offset: engine.session.serverClock.currentOffset)
        } catch {
            throw .notStored(error)
        }
    }

    /// Lets failed events try again from the beginning, all or these; how many there were.
    @discardableResult
    public func requeueFailed(_ ids: Set<String>? = nil) async throws(BehaviorError) -> Int {
        do { return try await engine.requeueFailed(ids) } catch {
            throw error as? BehaviorError ?? .notStored(error)
        }
    }

    /// Deletes posted and failed events that are older than the settings keep them; how many went.
    ///
    /// Happens by itself at the start and every hour in which something is tracked.
    @discardableResult
    public func purge() async throws(BehaviorError) -> Int {
        try await engine.started()
        do { return try await engine.purge() } catch { throw .notStored(error) }
    }

    /// The settings that hold.
    public var settings: BehaviorSettings { engine.configuration.settings }

    /// The identity that events are sent with.
    public var identity: BehaviorIdentity { engine.recorder.identity }

    /// Says who the events from now on are about; kept over restarts until log-out.
    public func setIdentity(_ identity: BehaviorIdentity) async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.recorder.setIdentity(identity) } catch { throw .notStored(error) }
    }

    /// The campaign that events belong to now.
    public var currentCampaign: String? {
        let now = engine.session.serverClock.now()
        return engine.recorder.memory.withLock { $0.campaign.current(at: now) }
    }

    /// The campaign that ended or was replaced last.
    public var lastCampaign: String? {
        let now = engine.session.serverClock.now()
        return engine.recorder.memory.withLock { $0.campaign.last(at: now) }
    }

    /// Fixes that are far enough from the one before. Ends with the session; empty without a source.
    public func locationUpdates() -> AsyncStream<LocationFix> {
        engine.location?.updates() ?? AsyncStream { $0.finish() }
    }

    /// Reports a location fix that the system delivered by itself.
    public func reportLocation(_ fix: LocationFix) async { await engine.location?.report(fix) }
}

// MARK: - For InlayXMLAPI

extension Behaviors {
    package var configuration: BehaviorsConfiguration { engine.configuration }

    /// Whether the app configured a source of locations.
    package var hasLocationSource: Bool { engine.location != nil }

    /// The place at the coordinates; `nil` without a source, or when it was not found in time.
    package func place(at coordinates: Coordinates) async -> Place? {
        await engine.location?.place(at: coordinates)
    }

    /// Returns once the stored state of the user was read.
    package func started() async throws { try await engine.started() }
}
