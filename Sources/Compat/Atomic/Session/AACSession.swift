public import Foundation
@_spi(Inlay) public import InlayCore

/// Atomic's entry point: one session for the whole process, behind static calls.
///
/// Handlers run on the main queue. New code should use `InlaySession` and its `cards`.
public enum AACSession {
    static var host: AtomicRuntime { .shared }

    /// Sets the environment and the API key. Everything else needs this first.
    public static func initialise(withEnvironmentId environmentId: String, apiKey: String) {
        host.change { setup in
            setup.credentials = (environmentId, apiKey)
            setup.opening = nil
            setup.generation += 1
        }
        host.openSoon()
    }

    /// Sets where the platform is; without it, the key `AACRequestBaseURL` of Info.plist says so.
    ///
    /// Takes effect with the next `initialise` once a session is open.
    public static func setApiBaseUrl(_ baseUrl: URL) {
        host.change { $0.baseURL = baseUrl }
        host.openSoon()
    }

    /// Sets who supplies tokens. The delegate is kept strongly until another takes its place.
    public static func setSessionDelegate(_ sessionDelegate: any AACSessionDelegate) {
        host.change { $0.delegate = sessionDelegate }
    }

    /// `initialise`, `setSessionDelegate` and `setApiBaseUrl` in one call.
    public static func login(
        withEnvironmentId environmentId: String, apiKey: String, sessionDelegate: any AACSessionDelegate,
        apiBaseUrl: URL?
    ) {
        initialise(withEnvironmentId: environmentId, apiKey: apiKey)
        setSessionDelegate(sessionDelegate)
        if let apiBaseUrl { setApiBaseUrl(apiBaseUrl) }
    }

    /// Chooses WebSocket or HTTP; takes effect at once, and lasts until the app restarts.
    public static func setApiProtocol(_ apiProtocol: AACApiProtocol) {
        let liveProtocol: SessionConfiguration.LiveProtocol = apiProtocol == .http ? .http : .webSocket
        host.change { $0.liveProtocol = liveProtocol }
        withOpenSession { await $0.setLiveProtocol(liveProtocol) }
    }

    /// Sets how much the SDK logs: 0 nothing (the default), 1 operations and transactions, 2 their
    /// details too, 3 everything. Not for release builds.
    public static func enableDebugMode(_ level: Int) {
        host.change { $0.debugLevel = level }
        withOpenSession { $0.setDebugLevel(level) }
    }

    /// Sets the app's version for analytics, cut to 128 characters; `unknown` until it is called.
    public static func setClientAppVersion(_ appVersion: String) {
        host.change { $0.clientVersion = appVersion }
        withOpenSession { $0.setClientVersion(appVersion) }
    }

    /// Sets the delegate that permits or refuses every connection, from the next one on; `nil` permits all.
    public static func setRequestDelegate(_ delegate: (any AACRequestDelegate)?) {
        host.change { $0.requestDelegate = delegate }
    }

    /// Sets what carries the SDK's connections, from the next `initialise` on; Foundation's by default.
    ///
    /// Foundation on Linux has no WebSockets and checks no pins: give the SDK `NIOTransport` there. Not
    /// part of the documented API.
    public static func setTransport(_ transport: any Transport) { host.useTransport(transport) }

    private static func withOpenSession(_ body: @escaping @Sendable (InlaySession) async -> Void) {
        host.change { setup in
            guard let opening = setup.opening else { return }
            // All later callers get the session with the setting. Ends when the setting was applied; a session
            // that could not open has nothing to set.
            setup.opening = Task {
                let session = try await opening.value
                await body(session)
                return session
            }
        }
    }
}

extension AACSession {
    /// Goes back to the address of Info.plist.
    package static func forgetBaseURL() { host.change { $0.baseURL = nil } }
}
