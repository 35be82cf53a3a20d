import Foundation
import InlayHiku
@_spi(Inlay) import InlayTesting

/// A delegate that writes down what it is told, with the object that tells it.
@MainActor final class HikuEar: HKSetupDelegate {
    enum Heard: Hashable, Sendable { case user(Bool), app(Bool), loggedOut }

    private var handle: [Heard] = []
    private var sdk: HKSetupSDK?

    static func make(_ site: DeviceJourney, _ folder: TemporaryFolder) -> HikuEar {
        let ear = HikuEar()
        ear.sdk = HKSetupSDK(
            applicationID: site.application.id.rawValue, sharedSecret: site.secret, delegate: ear,
            server: HKSetupServer(
                url: site.server.address, environmentID: RunningServer.environmentID.rawValue,
                apiKey: site.server.apiKey, folder: folder.url))
        return ear
    }

    /// Calls the documented log-in and returns the two callbacks that follow it.
    func logIn(_ email: String, _ password: String) async throws -> [Heard] {
        handle = []
        sdk?.loginUser(withEmail: email, password: password)
        try await eventually { @MainActor in self.handle.count >= 2 }
        return handle
    }

    /// Logs out and waits until that was told.
    func logOut() async throws {
        handle = []
        sdk?.logoutUser()
        try await eventually { @MainActor in self.handle == [.loggedOut] }
    }

    func token() -> String? { sdk?.getApplicationTokenForUser() }

    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK) { handle.append(.user(success)) }
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK) { handle.append(.app(success)) }
    func userLoggedOut(_ sdk: HKSetupSDK) { handle.append(.loggedOut) }
}
