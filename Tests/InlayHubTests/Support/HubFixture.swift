import Foundation
@_spi(Inlay) @testable import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing
@_spi(Inlay) @testable import InlayHub

/// A session with a scripted server, a publisher with its own keys, and a temporary folder.
struct HubFixture: Sendable {
    static let noon = Timestamp(seconds: 2_000_000_000)

    let clock: ManualClock
    let server: ScriptedTransport
    let publisher: TestPublisher
    let folder: TemporaryFolder
    let session: InlaySession
    let events: StreamRecorder<HubEvent>

    /// Returns a fixture whose hub is not started, with nothing published.
    static func make(
        in folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(at: noon),
        server: ScriptedTransport = ScriptedTransport(), publisher: TestPublisher? = nil,
        user: String? = "user-1", socket: Bool = false, url: String = "https://hub.test"
    ) async throws -> HubFixture {
        let folder = try folder ?? TemporaryFolder()
        server.always(InlayPath.analytics, .receipts)
        if socket { server.alwaysSocket(.accept) }
        let configuration = SessionConfiguration(
            environmentID: TestPublisher.environment, apiKey: "key", baseURL: try #require(URL(string: url)),
            folder: folder.url, clientVersion: "1.0")
        let session = try await InlaySession(
            configuration: configuration, transport: server, clock: clock, random: { 0.5 }
        ) { user.map { TestToken.unsigned(subject: $0, expires: nil) } }
        return HubFixture(
            clock: clock, server: server, publisher: try publisher ?? TestPublisher(), folder: folder,
            session: session, events: StreamRecorder(session.hub.events))
    }

    /// Publishes `source`, starts the hub, and returns once the version is in use.
    static func ready(
        _ source: TestSource = .harbor(1), change: (inout HubConfiguration) -> Void = { _ in }
    ) async throws -> HubFixture {
        let fixture = try await make()
        try fixture.publish(source)
        try fixture.start(change)
        try await fixture.untilVersion(source.index.version)
        return fixture
    }

    var hub: Hub { session.hub }

    var configuration: HubConfiguration {
        HubConfiguration(source: publisher.source, trust: .root(publisher.root))
    }

    func start(_ change: (inout HubConfiguration) -> Void = { _ in }) throws {
        var configuration = configuration
        change(&configuration)
        try hub.start(configuration)
    }

    /// Publishes and serves a version.
    func publish(_ source: TestSource, now: Timestamp = noon) throws {
        try publisher.publish(source, now: now)
        publisher.serve(on: server)
    }

    /// Waits until this version is in use and no download is running.
    func untilVersion(_ version: Int64) async throws {
        try await StreamRecorder(hub.states).until { $0.version == version && !$0.isDownloading }
    }

    /// Waits until the state meets the condition.
    func until(_ condition: @escaping @Sendable (HubState) -> Bool) async throws {
        try await StreamRecorder(hub.states).until(condition)
    }

    /// Creates a user and makes it the active one.
    func activate(_ id: String, tags: [String] = []) throws {
        try hub.users.create(id, tags: tags)
        try hub.users.setActive(id)
    }

    /// Ends the session and returns a fixture on the same folder, whose hub is not started.
    func restarted(
        server: ScriptedTransport = ScriptedTransport(), clock: ManualClock? = nil
    ) async throws -> HubFixture {
        session.work.end()
        return try await .make(in: folder, clock: clock ?? self.clock, server: server, publisher: publisher)
    }

    /// The requests for content so far.
    var contentRequests: [String] {
        server.requests.map(\.url.path).filter { $0.hasPrefix("/v1/hub/") }
    }

    /// The metrics that were posted so far.
    var metrics: [AnalyticsEvent] {
        get throws {
            try server.requests(InlayPath.analytics).flatMap { request in
                try JSONDecoder().decode(Batch<AnalyticsEvent>.self, from: request.body ?? Data()).items
            }
        }
    }

    /// Sends the metrics until all of these names have arrived, and returns all metrics.
    func untilMetrics(_ names: [String]) async throws -> [AnalyticsEvent] {
        try await eventually {
            _ = await session.outbox.flush(lane: "hub-metrics")
            let sent = try metrics.map(\.name)
            return names.allSatisfy { name in sent.contains(name) }
        }
        return try metrics
    }

    /// The folder of the stored versions.
    var store: URL { HubFolders(session.configuration).content(of: publisher.source) }

    /// Returns the location on disk of a target of the current version.
    func location(of target: String) throws -> URL {
        let path = try #require(hub.content.manifest.files[target]?.sha256)
        return store.appendingPathComponent("files").appendingPathComponent(path)
    }
}
