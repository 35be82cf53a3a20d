package import Foundation
@_spi(Inlay) package import InlayCore
internal import InlayCards

/// The owner of the single session behind Atomic's static calls.
///
/// A session opens after `initialise`, as soon as a base URL is known, on the next turn of the main queue, so that
/// it includes all settings of that turn. Log-out ends the session; the next `initialise` begins another.
package final class AtomicRuntime: Sendable {
    package static let shared = AtomicRuntime()

    /// The settings that the app has made so far.
    struct Setup: Sendable {
        var credentials: (environmentID: String, apiKey: String)?
        var baseURL: URL?
        var delegate: (any AACSessionDelegate)?
        var requestDelegate: (any AACRequestDelegate)?
        var liveProtocol = SessionConfiguration.LiveProtocol.webSocket
        var debugLevel = 0
        var clientVersion = "unknown"
        var eventHandler: (@MainActor (AACSDKEvent) -> Void)?
        var opening: Task<InlaySession, any Error>?
        /// A number that grows with each `initialise` and each log-out. A session opens only if it has not grown since
        /// the opening began.
        var generation = 0
        /// The newest log-out, which the next session waits for.
        var loggingOut: Task<Void, Never>?
        var tokens: [ObjectIdentifier: Task<Void, Never>] = [:]
        var userID: String?
    }

    /// The clock, transport and folder that the facade uses; tests replace them.
    package struct Services: Sendable {
        package var transport: (any Transport)?
        package var clock: any SessionClock = SystemClock()
        package var folder: URL?
        package var infoBaseURL: @Sendable () -> String? = {
            Bundle.main.object(forInfoDictionaryKey: "AACRequestBaseURL") as? String
        }

        package init() {}
    }

    private let setup = Locked(Setup())
    private let services = Locked(Services())

    /// Replaces the services; takes effect with the next session.
    package func use(_ services: Services) { self.services.withLock { $0 = services } }

    func change<Value>(_ body: (inout Setup) -> Value) -> Value { setup.withLock(body) }

    func read<Value>(_ body: (Setup) -> Value) -> Value { setup.withLock { body($0) } }

    func useTransport(_ transport: any Transport) { services.withLock { $0.transport = transport } }

    /// Returns the session for a public call, unaffected by later calls of the app. Traps when the SDK is not ready.
    ///
    /// Use it only in the call itself and never in a task that the call starts: in a task, a log-out is an error to
    /// handle and no reason to trap.
    func required(_ call: StaticString) -> AtomicOpening {
        requireReady(call)
        return opening()
    }

    /// Traps unless the SDK was initialised and has a base URL.
    func requireReady(_ call: StaticString) {
        precondition(
            read { $0.credentials != nil },
            "AACSession.\(call) was called before AACSession.initialise(withEnvironmentId:apiKey:), or after a "
                + "log-out. Call initialise or login first.")
        precondition(
            baseURL() != nil,
            "AACSession.\(call) needs an API base URL: call AACSession.setApiBaseUrl or put AACRequestBaseURL "
                + "into Info.plist.")
    }

    func baseURL() -> URL? { baseURL(of: read { $0 }) }

    private func baseURL(of setup: Setup) -> URL? {
        setup.baseURL ?? services.withLock(\.infoBaseURL)().flatMap(URL.init(string:))
    }

    /// Returns the session, after opening it if necessary. Throws `SessionError.loggedOut` after a log-out.
    package func session() async throws -> InlaySession { try await opening().session() }

    /// Returns the session that is open or opening; starts to open one if there is none.
    func opening() -> AtomicOpening {
        setup.withLock { setup in
            if let opening = setup.opening { return AtomicOpening(runtime: self, task: opening) }
            // The log-out is read here and not in the task: one that comes before the task runs waits for the task.
            let (generation, loggingOut) = (setup.generation, setup.loggingOut)
            // Ends when the session is open; the task then holds the session until log-out.
            let opening = Task { try await self.open(generation, after: loggingOut) }
            setup.opening = opening
            return AtomicOpening(runtime: self, task: opening)
        }
    }

    /// Lets the next call open a session again: a full or locked disk may be available by then.
    fileprivate func failed(_ opening: Task<InlaySession, any Error>) {
        setup.withLock { if $0.opening == opening { $0.opening = nil } }
    }

    /// Opens the session on the next turn of the main queue, if credentials and base URL are set by then.
    func openSoon() {
        // Ends when the session is open, or at once when something is missing.
        Task { @MainActor in
            guard self.read({ $0.credentials != nil }), self.baseURL() != nil else { return }
            _ = try? await self.session()
        }
    }

    private func open(_ generation: Int, after loggingOut: Task<Void, Never>?) async throws -> InlaySession {
        // A log-out that has not ended could delete the next user's data instead of those of its own user.
        await loggingOut?.value
        let setup = read { $0 }
        guard setup.generation == generation else { throw SessionError.loggedOut }
        let session = try await makeSession(setup) { [weak self] in self?.read(\.delegate) }
        forwardEvents(of: session)
        return session
    }

    /// Returns the session to log out. Opens one with the settings at the log-out if none was open, because an earlier
    /// run may have left a user's data.
    func session(toLogOut left: Setup) async throws -> InlaySession {
        if let session = try? await left.opening?.value { return session }
        await left.loggingOut?.value
        return try await makeSession(left) { [delegate = left.delegate] in delegate }
    }

    private func makeSession(
        _ setup: Setup, delegate: @escaping @Sendable () -> (any AACSessionDelegate)?
    ) async throws -> InlaySession {
        let services = services.withLock { $0 }
        guard let credentials = setup.credentials, let baseURL = baseURL(of: setup) else {
            throw SessionError.loggedOut
        }
        var configuration = SessionConfiguration(
            environmentID: credentials.environmentID, apiKey: credentials.apiKey, baseURL: baseURL,
            folder: services.folder ?? Self.defaultFolder, clientVersion: setup.clientVersion)
        configuration.gate = DelegateGate { [weak self] in self?.read(\.requestDelegate) }
        configuration.liveProtocol = setup.liveProtocol
        if let delegate = setup.delegate {
            configuration.tokenExpiryInterval = await .seconds(
                notBelowZero: MainActor.run { delegate.expiryInterval() })
            configuration.tokenRetryInterval = await .seconds(
                notBelowZero: MainActor.run { delegate.retryInterval() })
        }
        let session = try await InlaySession(
            configuration: configuration, transport: services.transport ?? URLSessionTransport(),
            clock: services.clock
        ) { [weak self, generation = setup.generation] in
            await self?.token(from: delegate(), generation) ?? nil
        }
        session.setDebugLevel(setup.debugLevel)
        return session
    }

    private func token(from delegate: (any AACSessionDelegate)?, _ generation: Int) async -> String? {
        guard let delegate else { return nil }
        // A stream instead of a continuation, because the app may never call the handler, or call it twice.
        let (answers, answer) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingOldest(1))
        await MainActor.run { delegate.cardSessionDidRequestAuthenticationToken { answer.yield($0) } }
        for await token in answers {
            let subject = token.flatMap { try? AppToken($0, userClaim: "sub").subject }
            // A session that logs out must not name its user to the next one.
            change { if $0.generation == generation { $0.userID = subject ?? $0.userID } }
            return token
        }
        return nil
    }

    private func forwardEvents(of session: InlaySession) {
        let events = session.events.observe()
        // The first use of the feature starts its analytics, which include the start of the session.
        _ = session.cards
        // Ends with the session's events, at log-out.
        session.work.start { [weak self] in
            for await event in events {
                guard let self, let handler = self.read(\.eventHandler) else { continue }
                let userID = self.read(\.userID) ?? ""
                await MainActor.run {
                    guard let converted = AACSDKEvent.make(event, userID: userID) else { return }
                    handler(converted)
                }
            }
        }
    }

    private static var defaultFolder: URL {
        SessionConfiguration.supportFolder("InlayAtomic")
    }
}

/// A session that is open or opening.
struct AtomicOpening: Sendable {
    fileprivate let runtime: AtomicRuntime
    fileprivate let task: Task<InlaySession, any Error>

    /// Returns the open session; throws `SessionError.loggedOut` when a log-out came before the session was open.
    func session() async throws -> InlaySession {
        do { return try await task.value } catch {
            runtime.failed(task)
            throw error
        }
    }
}

extension Duration {
    /// Returns a duration of at most 10^9 seconds; 0 for a value that is negative or not finite.
    static func seconds(notBelowZero seconds: TimeInterval) -> Duration {
        seconds.isFinite && seconds > 0 ? .microseconds(Int64(min(seconds, 1e9) * 1_000_000)) : .zero
    }
}

/// A request gate that asks the app's request delegate.
///
/// It reads the delegate for each request, so that `AACSession.setRequestDelegate` takes effect with the next one.
private struct DelegateGate: RequestGate {
    let delegate: @Sendable () -> (any AACRequestDelegate)?

    func disposition(for url: URL) -> RequestDisposition {
        guard let delegate = delegate() else { return .allow }
        let disposition = delegate.disposition(forAtomicRequest: url).disposition
        guard case .allowWithPins = disposition else { return disposition }
        // Atomic's guide excludes pins on the WebSocket; the SDK then polls over https with pins.
        return url.scheme?.lowercased() == "https" ? disposition : .deny
    }
}
