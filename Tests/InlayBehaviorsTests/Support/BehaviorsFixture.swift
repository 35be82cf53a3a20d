import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Logging
import Testing

@testable import InlayBehaviors

/// A simulated device with its folder, clock and server, and the session of one user.
struct BehaviorsFixture: Sendable {
    let clock: ManualClock
    let server: ScriptedTransport
    let folder: TemporaryFolder
    let session: InlaySession
    let behaviors: Behaviors

    static let path = InlayPath.eventSubmission
    /// 1 January 2030, 00:00 UTC.
    static let newYear = Timestamp(seconds: 1_893_456_000)

    /// Starts a session. Without `server`, its server accepts every event.
    static func start(
        in folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(at: newYear),
        server: ScriptedTransport? = nil, token: String? = nil, logger: Logger? = nil,
        _ change: (inout BehaviorsConfiguration) -> Void = { _ in }
    ) async throws -> BehaviorsFixture {
        let folder = try folder ?? TemporaryFolder()
        let server = server ?? ScriptedTransport.accepting
        let url = try #require(URL(string: "https://behaviors.test"))
        let text = token ?? TestToken.unsigned(expires: nil)
        var settings = SessionConfiguration(
            environmentID: "env", apiKey: "key", baseURL: url, folder: folder.url, clientVersion: "1.0")
        if let logger { settings.logger = logger }
        let session = try await InlaySession(
            configuration: settings,
            transport: server, clock: clock, random: { 1 }
        ) { text }
        var configuration = BehaviorsConfiguration()
        configuration.tracksInstallation = false
        configuration.device = DeviceFacts(
            name: "Phone", version: "Phone1,1", osName: "TestOS", osVersion: "7.1")
        configuration.app = AppFacts(name: "Demo", version: "2.1")
        change(&configuration)
        return BehaviorsFixture(
            clock: clock, server: server, folder: folder, session: session,
            behaviors: session.startBehaviors(configuration))
    }

    /// Returns the same device after the app was killed and started again `time` later.
    func restarted(
        after time: Duration = .zero, server: ScriptedTransport? = nil,
        _ change: (inout BehaviorsConfiguration) -> Void = { _ in }
    ) async throws -> BehaviorsFixture {
        session.work.end()
        await session.store.close()
        if time > .zero { clock.advance(by: time) }
        return try await .start(in: folder, clock: clock, server: server ?? self.server, change)
    }

    /// The events of all submissions so far, in order.
    var posted: [BehaviorEvent] { get throws { try submissions.flatMap { $0 } } }

    /// The events by submission.
    var submissions: [[BehaviorEvent]] {
        get throws {
            try server.requests(Self.path).map {
                try JSONDecoder().decode(EventSubmission.self, from: $0.body ?? Data()).events
            }
        }
    }

    func states() async throws -> [StoredBehavior.State] { try await behaviors.stored().map(\.state) }

    /// Waits until the kept events are in exactly these states, oldest event first.
    func until(_ states: [StoredBehavior.State]) async throws {
        try await eventually { try await self.states() == states }
    }

    /// Tracks an event and reads it back.
    func tracked(_ behavior: Behavior) async throws -> BehaviorEvent {
        let id = try await behaviors.track(behavior)
        return try #require(try await behaviors.stored().first { $0.id == id }).event
    }

    /// Tracks an event and returns its campaign.
    func campaignNow() async throws -> String? { try await tracked(.named("probe"))["Campaign Name"] }
}

extension ScriptedTransport {
    /// A server that accepts every event.
    static var accepting: ScriptedTransport {
        let server = ScriptedTransport()
        server.always(BehaviorsFixture.path, .eventReceipts())
        return server
    }
}

extension ScriptedResponse {
    /// Returns a receipt for each event; `refusing` returns the problem, or `nil` to accept the event.
    static func eventReceipts(
        refusing refusal: @escaping @Sendable (BehaviorEvent) -> Problem? = { _ in nil }
    ) -> Self {
        .handler { request in
            guard
                let submission = try? JSONDecoder().decode(EventSubmission.self, from: request.body ?? Data())
            else { return TransportResponse(status: 400) }
            let receipts = submission.events.map { ItemReceipt(id: $0.id, refusal: refusal($0)) }
            let body = try? JSONEncoder().encode(BatchReceipt(receipts: receipts))
            return TransportResponse(status: 200, body: body ?? Data())
        }
    }
}
