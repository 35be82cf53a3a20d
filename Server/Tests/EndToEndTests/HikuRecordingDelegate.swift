import Foundation
import InlayHiku
@_spi(Inlay) import InlayTesting

/// A delegate that records its callbacks, and the SDK object that calls it.
@MainActor final class HikuRecordingDelegate: HKSetupDelegate {
    enum Call: Hashable, Sendable { case user(Bool), app(Bool), loggedOut }

    private var received: [Call] = []
    private var sdk: HKSetupSDK?

    static func make(_ fixture: DeviceFixture, _ folder: TemporaryFolder) -> HikuRecordingDelegate {
        let delegate = HikuRecordingDelegate()
        delegate.sdk = HKSetupSDK(
            applicationID: fixture.application.id.rawValue, sharedSecret: fixture.secret, delegate: delegate,
            server: HKSetupServer(
                url: fixture.server.address, environmentID: RunningServer.environmentID.rawValue,
                apiKey: fixture.server.apiKey, folder: folder.url))
        return delegate
    }

    /// Calls the documented log-in and returns the two callbacks that follow it.
    func logIn(_ email: String, _ password: String) async throws -> [Call] {
        received = []
        sdk?.loginUser(withEmail: email, password: password)
        try await eventually { @MainActor in self.received.count >= 2 }
        return received
    }

    /// Logs out and waits for the callback.
    func logOut() async throws {
        received = []
        sdk?.logoutUser()
        try await eventually { @MainActor in self.received == [.loggedOut] }
    }

    func token() -> String? { sdk?.getApplicationTokenForUser() }

    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK) { received.append(.user(success)) }
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK) { received.append(.app(success)) }
    func userLoggedOut(_ sdk: HKSetupSDK) { received.append(.loggedOut) }
}
