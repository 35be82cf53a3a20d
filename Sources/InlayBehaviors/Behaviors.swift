import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

extension InlaySession {
    /// The behaviors of this session's user. Starts the feature with the default configuration when it is not started.
    public var behaviors: Behaviors {
        Behaviors(feature(BehaviorEngine.self) { BehaviorEngine($0, BehaviorsConfiguration()) })
    }

    /// Starts the feature with the app's configuration. Call it before any use of `behaviors`.
    ///
    /// Once the feature is started, a later configuration is ignored.
    @discardableResult
    public func startBehaviors(_ configuration: BehaviorsConfiguration) -> Behaviors {
        Behaviors(feature(BehaviorEngine.self) { BehaviorEngine($0, configuration) })
    }
}

/// The behaviors of a user: events of the app, each delivered to the server once, even after a crash.
///
/// ```swift
/// try await session.behaviors.track(.named("Timetable viewed", attributes: ["from": "Kirkwall"]))
/// ```
/// An event is in exactly one of four states, which `stored` returns. Events are sent when enough of them wait, when
/// the app moves to the background, and by `postEventCache`.
public struct Behaviors: Sendable {
    let engine: BehaviorEngine

    init(_ engine: BehaviorEngine) { self.engine = engine }

    /// Stores an event and returns its id after the commit. The event is sent later.
    @discardableResult
    public func track(_ behavior: Behavior) async throws(BehaviorError) -> String {
        try await engine.track(behavior)
    }

    /// Returns the event as `track` would store it and the server would receive it now, without storing it.
    public func preview(_ behavior: Behavior) async throws(BehaviorError) -> BehaviorEvent {
        try await engine.started()
        return try engine.recorder.preview(behavior)
    }

    /// Stores an event with an id (UUIDv7) and a time of the server's clock from the caller.
    @discardableResult
    package func track(
        _ behavior: Behavior, id: String, at time: Timestamp
    ) async throws(BehaviorError) -> String {
        try await engine.track(behavior, id: id, at: time)
    }

    /// Returns the event as it would be sent now, without waiting for the start. Until the start has ended, the event
    /// has no campaign, device id and identity of earlier runs.
    package func previewNow(
        _ behavior: Behavior, id: String, at time: Timestamp
    ) throws(BehaviorError) -> BehaviorEvent {
        try engine.recorder.preview(behavior, id: id, at: time)
    }

    /// Sends all events that are ready, however few. Returns `false` when some could not be sent.
    ///
    /// Events in HOLD are not sent. Without events to send, returns `true` and makes no request.
    @discardableResult
    public func postEventCache() async -> Bool { await engine.flush() }

    /// Returns the events in these states that are stored on this device, oldest first.
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

    /// Sends failed events again, with all their tries: those with these ids, or all. Returns their number.
    @discardableResult
    public func requeueFailed(_ ids: Set<String>? = nil) async throws(BehaviorError) -> Int {
        do { return try await engine.requeueFailed(ids) } catch {
            throw error as? BehaviorError ?? .notStored(error)
        }
    }

    /// Deletes posted and failed events that are older than `BehaviorSettings.eventLifespan`, and the oldest beyond
    /// `BehaviorsConfiguration.maximumHistory`. Returns their number.
    ///
    /// The SDK itself calls it at the start, and at most once an hour when an event is tracked.
    @discardableResult
    public func purge() async throws(BehaviorError) -> Int {
        try await engine.started()
        do { return try await engine.purge() } catch { throw .notStored(error) }
    }

    /// The settings that the feature was started with.
    public var settings: BehaviorSettings { engine.configuration.settings }

    /// The identity that events are sent with.
    public var identity: BehaviorIdentity { engine.recorder.identity }

    /// Sets the identity of the events from now on. It is stored until log-out.
    public func setIdentity(_ identity: BehaviorIdentity) async throws(BehaviorError) {
        try await engine.started()
        do { try await engine.recorder.setIdentity(identity) } catch { throw .notStored(error) }
    }

    /// The current campaign, which is added to every event.
    public var currentCampaign: String? {
        let now = engine.session.serverClock.now()
        return engine.recorder.memory.withLock { $0.campaign.current(at: now) }
    }

    /// The campaign that ended or was replaced last.
    public var lastCampaign: String? {
        let now = engine.session.serverClock.now()
        return engine.recorder.memory.withLock { $0.campaign.last(at: now) }
    }

    /// Returns a stream of fixes, each at least the distance filter away from the one before. It ends with the session;
    /// without a source it is empty.
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

    /// Returns the place at the coordinates; `nil` without a source, or when it was not found in time.
    package func place(at coordinates: Coordinates) async -> Place? {
        await engine.location?.place(at: coordinates)
    }

    /// Returns once the stored state of the user was read.
    package func started() async throws { try await engine.started() }
}
