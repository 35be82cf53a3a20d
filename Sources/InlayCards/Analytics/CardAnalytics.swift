import InlayCore
@_spi(Inlay) import InlayWire

/// The analytics events for the app and the server. Each is sent once, and stored until the server has it.
actor CardAnalytics {
    static let lane = OutboxLane(
        name: "analytics", path: InlayPath.analytics, batchSize: 200, flushAfter: .seconds(3),
        maximumAge: .seconds(30 * 86_400), maximumBytes: 4 << 20)
    /// The maximum number of events in memory while there is no store, which is so until the first token.
    private static let maximumWaiting = 64

    private let outbox: Outbox
    private let api: APIClient
    private let events: SessionEvents
    private let serverClock: ServerClock
    private let log: DebugLog
    private let ready: Task<Void, Never>
    private var waiting: [AnalyticsEvent] = []

    init(
        outbox: Outbox, api: APIClient, events: SessionEvents, serverClock: ServerClock, log: DebugLog,
        ready: Task<Void, Never>
    ) {
        self.outbox = outbox
        self.api = api
        self.events = events
        self.serverClock = serverClock
        self.log = log
        self.ready = ready
    }

    /// Sends the event to the app's observers and, when `isSent`, stores it for the server.
    ///
    /// Never throws: when the event cannot be stored, it is lost, but the user's action still succeeds.
    func record(_ event: SessionEvent, isSent: Bool = true) async {
        events.publish(event)
        if isSent { await store(event, as: event.name) }
    }

    /// Forwards the session's own events to the server until the session ends.
    func forward(_ stream: AsyncStream<SessionEvent>) async {
        for await event in stream {
            switch event.name {
            case .sdkInitialized: await store(event, as: event.name)
            // A failed request for analytics is not reported, because its report would be such a request again.
            case .requestFailed where event.properties["path"]?.string != InlayPath.analytics:
                await store(event, as: event.name)
            // Atomic counts a refreshed token as another initialization.
            case .tokenRefreshed: await store(event, as: .sdkInitialized)
            default: break
            }
        }
    }

    private func store(_ event: SessionEvent, as name: SessionEvent.Name) async {
        await ready.value
        waiting.append(
            AnalyticsEvent(
                id: UUIDv7.make(at: event.time), name: name.rawValue, time: event.time,
                containerID: event.containerID, cardID: event.cardID, clientVersion: api.clientVersion,
                properties: event.properties))
        let batch = waiting
        waiting = []
        for (index, item) in batch.enumerated() {
            do {
                try await outbox.enqueue(item, lane: Self.lane.name)
            } catch StoreError.noUser {
                waiting = Array((batch[index...] + waiting).suffix(Self.maximumWaiting))
                return
            } catch {
                log.operation("analytics: \(item.name) could not be kept: \(error)")
            }
        }
    }
}
