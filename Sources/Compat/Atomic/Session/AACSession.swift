public import Foundation
@_spi(Inlay) public import InlayCore

/// Atomic's entry point: one session for the whole process, behind static calls.
///
/// Handlers run on the main queue. New code should use `InlaySession` and its `cards`.
public enum AACSession {
    static var runtime: AtomicRuntime { .shared }

    /// Sets the environment and the API key. Must be called before the SDK is used.
    public static func initialise(withEnvironmentId environmentId: String, apiKey: String) {
        runtime.change { setup in
            setup.credentials = (environmentId, apiKey)
            setup.opening = nil
            setup.generation += 1
        }
        runtime.openSoon()
    }

    /// Sets the address of the server; the default is the value of `AACRequestBaseURL` in Info.plist.
    ///
    /// Once a session is open, the address takes effect with the next `initialise`.
    public static func setApiBaseUrl(_ baseUrl: URL) {
        runtime.change { $0.baseURL = baseUrl }
        runtime.openSoon()
    }

    /// Sets the delegate that supplies tokens. The SDK retains the delegate until it is replaced.
    public static func setSessionDelegate(_ sessionDelegate: any AACSessionDelegate) {
        runtime.change { $0.delegate = sessionDelegate }
    }

    /// Calls `initialise`, `setSessionDelegate` and, unless the address is `nil`, `setApiBaseUrl`.
    public static func login(
        withEnvironmentId environmentId: String, apiKey: String, sessionDelegate: any AACSessionDelegate,
        apiBaseUrl: URL?
    ) {
        initialise(withEnvironmentId: environmentId, apiKey: apiKey)
        setSessionDelegate(sessionDelegate)
        if let apiBaseUrl { setApiBaseUrl(apiBaseUrl) }
    }

    /// Sets the protocol by which the SDK receives changes; takes effect at once, until the app restarts.
    public static func setApiProtocol(_ apiProtocol: AACApiProtocol) {
        let liveProtocol: SessionConfiguration.LiveProtocol = apiProtocol == .http ? .http : .webSocket
        runtime.change { $0.liveProtocol = liveProtocol }
        withOpenSession { await $0.setLiveProtocol(liveProtocol) }
    }

    /// Sets the level of the debug log: 0 nothing (the default), 1 operations and transactions, 2 also their details,
    /// 3 everything. Not for release builds.
    public static func enableDebugMode(_ level: Int) {
        runtime.change { $0.debugLevel = level }
        withOpenSession { $0.setDebugLevel(level) }
    }

    /// Sets the app's version for analytics, cut to 128 characters; `unknown` by default.
    public static func setClientAppVersion(_ appVersion: String) {
        runtime.change { $0.clientVersion = appVersion }
        withOpenSession { $0.setClientVersion(appVersion) }
    }

    /// Sets the delegate that permits or refuses every connection, starting with the next one; `nil` permits all.
    public static func setRequestDelegate(_ delegate: (any AACRequestDelegate)?) {
        runtime.change { $0.requestDelegate = delegate }
    }

    /// Sets the transport of the SDK's requests, from the next `initialise` on; `URLSessionTransport` by default.
    ///
    /// On Linux, `URLSessionTransport` supports neither WebSockets nor pins: set a `NIOTransport` there. Not part of
    /// the documented API.
    public static func setTransport(_ transport: any Transport) { runtime.useTransport(transport) }

    private static func withOpenSession(_ body: @escaping @Sendable (InlaySession) async -> Void) {
        runtime.change { setup in
            guard let opening = setup.opening else { return }
            // Replaced, so that all later callers get the session with the setting. Ends when the setting is applied,
            // or when the session fails to open.
            setup.opening = Task {
                let session = try await opening.value
                await body(session)
                return session
            }
        }
    }
}

extension AACSession {
    /// Restores the address of Info.plist.
    package static func forgetBaseURL() { runtime.change { $0.baseURL = nil } }
}
