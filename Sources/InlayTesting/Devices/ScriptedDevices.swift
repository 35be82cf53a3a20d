import Foundation
public import InlayCore
@_spi(Inlay) public import InlayWire

/// A scripted server for accounts and pairings that follows the real one's rules.
public final class ScriptedDevices: Transport {
    /// The server's behavior, which a test may change at any time.
    public struct Rules: Sendable {
        /// Whether a new address gets its account at once, without a code.
        public var opensAtOnce = true
        /// The application's id and its secret.
        public var application = ("app-1", "secret-1")
        /// Whether applications receive tokens for users.
        public var givesTokens = true
        /// Whether the server is reachable.
        public var isOnline = true
        /// The status of every response; `nil` for regular responses.
        public var failure: Int?
        /// The lifetime of access tokens.
        public var accessTokenLifetime = Duration.seconds(1800)
        /// The response to the next attempts to open a socket.
        public var socket = ScriptedSocketResponse.refuse(status: 404)
        /// The server's current time.
        public var now = Timestamp(seconds: 2_000_000_000)
    }

    /// One account.
    public struct Account: Sendable, Hashable {
        public var account: DeviceAccount
        public var password: String?
    }

    struct State {
        var rules = Rules()
        var accounts: [Account] = []
        var access: [String: String] = [:]
        var refresh: [String: String] = [:]
        var pairings: [String: PairingStatus] = [:]
        var lastReportedStatus: PairingStatus?
        var devices: [Device] = []
        var requests: [TransportRequest] = []
        var sockets: [ScriptedSocket] = []
        var cancelReasons: [DeviceSetupFailure] = []
        var held: [String: CheckedContinuation<Void, Never>] = [:]
        var heldPath: String?
        var count = 0
    }

    /// The code in every mail.
    public static let code = "ABCD-1234"

    let state = Locked(State())
    private let signal = ConditionSignal()

    /// Creates a server without accounts.
    public init() {}

    // MARK: Script

    /// Changes the server's rules.
    public func set(_ body: (inout Rules) -> Void) { state.withLock { body(&$0.rules) } }

    /// Adds an existing account.
    public func add(_ email: String, password: String?, proven: Bool = true) {
        state.withLock { state in
            let id = "a\(state.accounts.count + 1)"
            let account = DeviceAccount(id: id, email: email, proven: proven)
            state.accounts.append(Account(account: account, password: password))
        }
    }

    /// Changes the newest pairing as a device would, and notifies the open sockets.
    @_spi(Inlay) public func setPairingStatus(_ status: PairingStatus) {
        let sockets = state.withLock { state in
            if let id = state.pairings.keys.max() { state.pairings[id] = status }
            state.count += 1
            return (state.sockets, Int64(state.count))
        }
        for socket in sockets.0 { socket.push(.changed(topic: LiveMessage.pairingTopic, version: sockets.1)) }
    }

    /// Changes the newest pairing, and advances the clock from poll to poll until an app has received the status.
    @_spi(Inlay) public func setPairingStatus(
        _ status: PairingStatus, foundOn clock: ManualClock, every interval: Duration
    )
        async throws
    {
        setPairingStatus(status)
        try await clock.advance(by: interval) { state.withLock { $0.lastReportedStatus } == status }
    }

    /// Ends all log-ins, as the server does when a password is set.
    public func endSessions() {
        state.withLock { state in
            state.access = [:]
            state.refresh = [:]
        }
    }

    /// Invalidates all access tokens so far, but no refresh tokens.
    public func refuseTokens() { state.withLock { $0.access = [:] } }

    /// Holds requests of a path until `release`.
    public func hold(_ path: String) { state.withLock { $0.heldPath = path } }

    /// Continues all held requests, and holds no more.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [:] }
            state.heldPath = nil
            return state.held
        }
        held.values.forEach { $0.resume() }
    }

    // MARK: Results

    /// All accounts.
    public var accounts: [Account] { state.withLock { $0.accounts } }

    /// Whether an account has a valid log-in.
    public func isLoggedIn(_ email: String) -> Bool { state.withLock { $0.refresh.values.contains(email) } }

    /// All requests so far.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The requests of one path so far.
    public func requests(_ path: String) -> [TransportRequest] { requests.filter { $0.url.path == path } }

    /// The reasons with which pairings were cancelled.
    public var cancelReasons: [DeviceSetupFailure] { state.withLock { $0.cancelReasons } }

    /// The sockets that were opened.
    public var sockets: [ScriptedSocket] { state.withLock { $0.sockets } }

    /// Waits until a path has received this many requests in all.
    public func untilRequests(_ path: String, _ count: Int = 1) async throws {
        try await signal.until("\(count) requests of \(path), not \(self.requests(path).count)") {
            self.requests(path).count >= count
        }
    }

    /// Waits until the condition holds; it is checked after every request.
    public func until(_ condition: @escaping @Sendable () -> Bool) async throws {
        try await signal.until("a condition of the server") { condition() }
    }

    // MARK: Transport

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let isHeld = state.withLock { state in
            state.requests.append(request)
            return state.heldPath == request.url.path
        }
        signal.changed()
        if isHeld { await wait(request.url.path) }
        let rules = state.withLock { $0.rules }
        guard rules.isOnline else { throw .unreachable("by the test") }
        if let failure = rules.failure { return TransportResponse(status: failure) }
        let response = answer(request)
        // Signals once more, because waiting conditions may depend on the answer's changes.
        signal.changed()
        return response
    }

    public func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        let rules = state.withLock { $0.rules }
        guard rules.isOnline else { throw .unreachable("by the test") }
        switch rules.socket {
        case .refuse(let status): throw .upgradeRefused(status: status)
        case .fail(let error): throw error
        case .accept(let hello):
            let socket = ScriptedSocket(hello: hello)
            state.withLock { $0.sockets.append(socket) }
            signal.changed()
            return socket
        }
    }

    private func wait(_ path: String) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                // `release` may have been called since the request was marked as held.
                guard state.heldPath == path else { return false }
                state.count += 1
                state.held["\(state.count)"] = continuation
                return true
            }
            if isHeld { signal.changed() } else { continuation.resume() }
        }
    }
}
