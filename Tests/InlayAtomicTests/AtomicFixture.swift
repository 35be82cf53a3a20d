import Foundation
import InlayAtomic
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

/// All tests of the facade, which run one after another because it has one session per process.
@Suite(.serialized) struct AtomicTests {}

/// The environment of the facade in one test: a scripted server, a manual clock and a folder.
final class AtomicFixture: Sendable {
    let server = ScriptedTransport()
    let clock: ManualClock
    let folder: TemporaryFolder
    let user: TestUser

    static let noon = Timestamp(microseconds: 1_700_000_000_000_000)
    static let feed = InlayPath.cardFeed(container: "1")
    static var baseURL: URL {
        get throws { try #require(URL(string: "https://atomic.test")) }
    }

    /// Replaces the runtime; with `login` a user is logged in. `lastingFolder` outlives the process.
    @MainActor init(
        login: Bool = true, socket: Bool = false, user: TestUser = TestUser(), lastingFolder: URL? = nil
    ) throws {
        clock = ManualClock(at: Self.noon)
        folder = try TemporaryFolder()
        self.user = user
        if socket { server.alwaysSocket(.accept) }
        server.always(InlayPath.cardActions, .receipts)
        server.always(InlayPath.analytics, .receipts)
        var services = AtomicRuntime.Services()
        (services.transport, services.clock) = (server, clock)
        services.folder = lastingFolder ?? folder.url
        services.infoBaseURL = { nil }
        AtomicRuntime.shared.use(services)
        if login { try self.login() }
    }

    @MainActor func login() throws {
        AACSession.login(
            withEnvironmentId: "env", apiKey: "key", sessionDelegate: user, apiBaseUrl: try Self.baseURL)
    }

    /// Logs out and returns the error that Atomic's completion handler receives.
    @discardableResult
    func logout() async -> NSError? {
        await withCheckedContinuation { done in AACSession.logout { done.resume(returning: $0 as NSError?) } }
    }

    /// Sets the server's response to every request for the feed of container 1 from now on.
    func serve(
        _ version: Int64, _ cards: [CardInstance], layout: CardLayout = CardLayout(nodes: [.headline("Hi")])
    ) throws {
        server.always(
            Self.feed,
            try .json(
                CardFeed(
                    containerID: "1", version: version, serverTime: Self.noon, hadCards: true, cards: cards,
                    layouts: ["t@1": layout])))
    }

    static func card(
        _ id: String, priority: Int = 5, template: String = "t", variables: [String: CardVariableValue] = [:]
    ) -> CardInstance {
        CardInstance(
            id: id, layoutID: "t@1", templateID: template, templateName: template, eventName: "event-\(id)",
            lifecycleID: "life-\(id)", priority: priority, createdAt: noon, updatedAt: noon, activeAt: noon,
            variables: variables)
    }

    /// Observes container 1 and records the calls of the handler.
    @MainActor func observe(_ configuration: AACStreamContainerObserverConfiguration? = nil) -> CallRecorder<
        [AACCardInstance]
    > {
        let seen = CallRecorder<[AACCardInstance]>()
        seen.token = AACSession.observeStreamContainer(identifier: "1", configuration: configuration) {
            seen.add($0)
        }
        return seen
    }

    @MainActor func run(_ action: AACSessionCardAction) async -> NSError? {
        await withCheckedContinuation { done in
            AACSession.onCardAction(action) { done.resume(returning: $0 as NSError?) }
        }
    }

    var actions: [CardAction] { get throws { try posted(InlayPath.cardActions) } }
    var analytics: [AnalyticsEvent] { get throws { try posted(InlayPath.analytics) } }

    private func posted<Item: Codable & Sendable>(_ path: String) throws -> [Item] {
        try server.requests(path).flatMap {
            try JSONDecoder().decode(Batch<Item>.self, from: $0.body ?? Data()).items
        }
    }
}

/// A session delegate that supplies tokens as a host app does and counts its calls.
@MainActor final class TestUser: AACSessionDelegate {
    let name: String
    var lifetime: Duration?
    var hasToken = true
    var expiry: TimeInterval?
    var retry: TimeInterval?
    private(set) var tokenRequests = 0
    private(set) var expiryReads = 0
    private(set) var retryReads = 0

    nonisolated init(_ name: String = "user-1") { self.name = name }

    func cardSessionDidRequestAuthenticationToken(handler: @escaping AACSessionAuthenticationTokenHandler) {
        tokenRequests += 1
        let expires = lifetime.map { AtomicFixture.noon + $0 }
        handler(hasToken ? TestToken.unsigned(subject: name, expires: expires) : nil)
        // A second call must do nothing.
        handler("nonsense")
    }

    func expiryInterval() -> TimeInterval {
        expiryReads += 1
        return expiry ?? 60
    }

    func retryInterval() -> TimeInterval {
        retryReads += 1
        return retry ?? 0
    }
}

/// A record of the values that a handler received, `nil` included.
@MainActor final class CallRecorder<Value> {
    private(set) var calls: [Value?] = []
    var token: (any NSObjectProtocol)?
    private let signal = ConditionSignal()
    private let count = Counter()

    func add(_ value: Value?) {
        calls.append(value)
        count.add()
        signal.changed()
    }

    /// Waits until the total number of calls is at least `number`, and returns all calls.
    @discardableResult
    func until(_ number: Int) async throws -> [Value?] {
        let count = count
        try await signal.until("\(number) calls, not \(count.value)") { count.value >= number }
        return calls
    }
}

final class Counter: Sendable {
    private let number = Locked(0)
    func add() { number.withLock { $0 += 1 } }
    var value: Int { number.withLock { $0 } }
}
