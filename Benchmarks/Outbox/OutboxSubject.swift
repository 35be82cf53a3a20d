import InlayBehaviors
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A way to store an event durably that the benchmark measures.
protocol OutboxSubject: Sendable {
    /// The lane of the events.
    var lane: String { get }

    func prepare(_ session: InlaySession) async throws

    /// Stores an event and returns after the commit.
    func store(_ number: Int, _ session: InlaySession) async throws
}

/// Enqueues an item in the outbox directly.
struct EnqueueSubject: OutboxSubject {
    var lane: String { "bench" }

    func prepare(_ session: InlaySession) async throws {
        await session.outbox.register(
            OutboxLane(name: lane, path: "/nowhere", batchSize: 500, flushAfter: .seconds(86_400)))
    }

    func store(_ number: Int, _ session: InlaySession) async throws {
        try await session.outbox.enqueue(OutboxBench.event(number), lane: lane)
    }
}

/// Tracks an event with a name and five attributes.
struct TrackSubject: OutboxSubject {
    var lane: String { "behaviors" }

    func prepare(_ session: InlaySession) async throws {
        var configuration = BehaviorsConfiguration()
        configuration.tracksInstallation = false
        configuration.settings.eventCacheSize = .max
        configuration.maximumBytes = .max
        session.startBehaviors(configuration)
    }

    func store(_ number: Int, _ session: InlaySession) async throws {
        try await session.behaviors.track(
            .named(
                "screen-viewed",
                attributes: [
                    "screen": "timetable", "from": "Kirkwall", "to": "Stromness", "passengers": 3,
                    "number": .integer(Int64(number)),
                ]))
    }
}
