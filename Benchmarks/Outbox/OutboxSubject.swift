import InlayBehaviors
import InlayCore
import InlayWire

/// What is measured: a way to make an event durable.
protocol OutboxSubject: Sendable {
    /// The lane that the events wait in.
    var lane: String { get }

    func prepare(_ session: InlaySession) async throws

    /// Returns after the commit.
    func store(_ number: Int, _ session: InlaySession) async throws
}

/// An item straight into the outbox.
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

/// An event of an app, with its name and five attributes; the core attributes are shared.
struct TrackSubject: OutboxSubject {
    var lane: String { "behaviors" }

    func prepare(_ session: InlaySession) async throws {
        var configuration = BehaviorsConfiguration()
        configuration.tellsInstallation = false
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
