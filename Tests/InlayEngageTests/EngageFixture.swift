import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// All tests of the facade, which run one after another because it has one session per process.
@Suite(.serialized) struct EngageTests {}

/// The environment of the facade in one test: a scripted server, a manual clock and a folder.
final class EngageFixture: Sendable {
    let server = ScriptedTransport()
    let network = SwitchedNetwork()
    let clock: ManualClock
    let folder: TemporaryFolder
    private let services: EngageRuntime.Services

    static let noon = Timestamp(microseconds: 1_700_000_000_000_000)
    static let events = InlayPath.eventSubmission
    static let entries = [
        "ENGAGE_CLIENT_ID": "abc", "ENGAGE_CLIENT_SECRET_META": "s3/+&=", "ENGAGE_REFRESH_TOKEN": "rt",
        "ENGAGE_HOST": "https://engage.test/",
    ]

    /// Replaces the runtime, with a new folder, or as after a restart with the folder of an earlier fixture.
    init(
        in folder: TemporaryFolder? = nil, at moment: Timestamp = noon,
        settings: [String: [String: JSONValue]]? = nil, deepLinks: String? = nil,
        entries: [String: String] = entries, location: (any LocationSource)? = nil,
        app: AppFacts = AppFacts(name: "Demo", version: "2.1"), log: LogLines? = nil
    ) throws {
        clock = ManualClock(at: moment)
        self.folder = try folder ?? TemporaryFolder()
        server.always(InlayPath.oauthToken, DatabaseResponses.token())
        server.always(InlayPath.xmlAPI, DatabaseResponses.success())
        server.always(Self.events, .status(200))
        var services = EngageRuntime.Services()
        (services.transport, services.clock, services.folder) = (server, clock, self.folder.url)
        (services.network, services.app, services.location) = (network, app, { _ in location })
        if let log { services.configure = { $0.logger = log.logger } }
        services.device = DeviceFacts(
            name: "Phone", version: "Phone1,1", osName: "TestOS", osVersion: "9", id: "device-1")
        services.info = { entries[$0] }
        let list = try settings.map { try SettingsTable($0).propertyList() }
        services.settings = { list }
        services.deepLinks = { deepLinks.map { Data($0.utf8) } }
        self.services = services
        EngageRuntime.shared.use(services)
    }

    /// Starts the app.
    @discardableResult @MainActor func boot() async -> EngageApplication {
        let application = EngageApplication()
        application.onCreate()
        await EngageRuntime.shared.settled()
        return application
    }

    /// Waits for all pending calls, then sends the stored events.
    func flush() async throws {
        await EngageRuntime.shared.settled()
        let engine = try #require(EngageRuntime.shared.engine)
        await engine.behaviors.postEventCache()
    }

    /// Sends the stored events with the documented method, and waits for the responses.
    func postEventCache() async {
        UBFManager.get().postEventCache()
        await EngageRuntime.shared.settled()
    }

    /// The events that the server received, in order.
    var posted: [BehaviorEvent] { get throws { try submissions.flatMap { $0 } } }

    /// The events that the server received, grouped by request.
    var submissions: [[BehaviorEvent]] {
        get throws {
            try server.requests(Self.events).map {
                try JSONDecoder().decode(EventSubmission.self, from: $0.body ?? Data()).events
            }
        }
    }

    /// Returns the events with a name that the server received.
    func posted(named name: String) throws -> [BehaviorEvent] {
        try posted.filter { $0["Event Name"] == name }
    }

    /// Returns the events of a type that the server received.
    func posted(_ code: BehaviorCode) throws -> [BehaviorEvent] {
        try posted.filter { $0.eventTypeCode == code.text }
    }

    /// Returns the events that the device stores.
    func stored(_ states: Set<StoredBehavior.State> = Set(StoredBehavior.State.allCases)) async throws
        -> [StoredBehavior]
    {
        await EngageRuntime.shared.settled()
        return try await #require(EngageRuntime.shared.engine).behaviors.stored(states)
    }

    /// Waits until no event is in HOLD.
    func untilReleased() async throws {
        try await eventually { try await stored([.hold]).isEmpty }
    }

    /// The operations that the server received, in order.
    var operations: [XMLTree] {
        get throws { try server.requests(InlayPath.xmlAPI).compactMap { try $0.operation } }
    }

    /// Posts a request and waits for its success or failure block.
    @MainActor func post(_ api: XMLAPI) async throws -> CallbackRecorder {
        let received = CallbackRecorder()
        XMLAPIManager.sharedInstance().postXMLAPI(api, success: received.success, failure: received.failure)
        try await received.until(1)
        return received
    }
}

/// A recorder of the values that the blocks of a call receive.
@MainActor final class CallbackRecorder {
    private(set) var results: [ResultDictionary] = []
    private(set) var errors: [any Error] = []
    private let signal = ConditionSignal()
    private let count = Locked(0)

    nonisolated init() {}

    var success: @MainActor @Sendable (ResultDictionary) -> Void {
        { result in
            self.results.append(result)
            self.counted()
        }
    }

    var failure: @MainActor @Sendable (any Error) -> Void {
        { error in
            self.errors.append(error)
            self.counted()
        }
    }

    private func counted() {
        count.withLock { $0 += 1 }
        signal.changed()
    }

    func until(_ number: Int) async throws {
        let count = count
        try await signal.until("\(number) calls") { count.withLock { $0 } >= number }
    }
}
