import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayDevices
import InlayDevicesTesting
import InlayPlatform
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@testable import InlayHiku

/// A delegate that records its calls and their senders.
@MainActor final class RecordingDelegate: HKSetupDelegate {
    enum Call: Hashable, Sendable {
        case authenticated(Bool), setUp(Bool), cancelled, authorized(Bool), tutorial, loggedOut
    }

    private(set) var calls: [Call] = []
    private(set) var senders: [ObjectIdentifier] = []
    /// The SDK's token inside the last callback about the application.
    private(set) var tokens: [String?] = []
    private let (stream, continuation) = AsyncStream.makeStream(of: Call.self)
    private(set) lazy var received = Collected(stream)

    private func note(_ call: Call, _ sdk: HKSetupSDK) {
        calls.append(call)
        senders.append(ObjectIdentifier(sdk))
        continuation.yield(call)
    }

    func count(_ call: Call) -> Int { calls.count { $0 == call } }

    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK) { note(.authenticated(success), sdk) }
    func deviceSetupStatus(_ success: Bool, sdk: HKSetupSDK) { note(.setUp(success), sdk) }
    func userCancelledSetup(_ sdk: HKSetupSDK) { note(.cancelled, sdk) }
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK) {
        tokens.append(sdk.getApplicationTokenForUser())
        note(.authorized(success), sdk)
    }
    func userCompletedTutorial(_ sdk: HKSetupSDK) { note(.tutorial, sdk) }
    func userLoggedOut(_ sdk: HKSetupSDK) { note(.loggedOut, sdk) }
}

/// Presents nothing, and remembers what was presented how.
@MainActor final class RecordingPresenter: HKPresenting {
    private(set) var shown:
        [(surface: DeviceSetupSurface, style: SDKHKPresentationStyle, over: UIViewController?)] =
            []
    /// The surfaces that were taken away, in order.
    private(set) var gone: [ObjectIdentifier] = []
    var dismissed: Int { gone.count }
    private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    private lazy var presented = Collected(stream)

    func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?
    ) {
        shown.append((surface, style, controller))
        continuation.yield(shown.count)
    }

    func dismiss(_ surface: DeviceSetupSurface) { gone.append(ObjectIdentifier(surface)) }

    /// The page of the newest surface, once there are this many.
    func page(_ count: Int = 1) async throws -> SetupPage {
        try await presented.until { $0 >= count }
        return SetupPage(shown[count - 1].surface)
    }
}

/// A facade on a played server.
@MainActor struct HikuFixture {
    let server = ScriptedDevices()
    let clock = ManualClock()
    let folder: TemporaryFolder
    let delegate = RecordingDelegate()
    let presenter = RecordingPresenter()

    init() throws { folder = try TemporaryFolder() }

    func sdk(id: String = "app-1", secret: String = "secret-1") -> HKSetupSDK {
        HKSetupSDK(
            applicationID: id, sharedSecret: secret, delegate: delegate,
            server: HKSetupServer(
                url: URL(string: "https://example.com") ?? folder.url, environmentID: "env", apiKey: "key",
                folder: folder.url),
            services: HKServices(transport: server, clock: clock, presenter: presenter))
    }

    /// Returns an SDK with a logged-in user; the delegate keeps the calls that it received on the way.
    func loggedIn(_ email: String = "a@example.com") async -> HKSetupSDK {
        let sdk = sdk()
        sdk.loginUser(withEmail: email, password: "")
        await sdk.settled()
        return sdk
    }

    /// Walks a page from the network's screen to the light.
    func walkToLight(_ page: SetupPage) async throws {
        try await page.until("network")
        page.submit("network", ["network": "Home", "password": "correct horse"])
        try await page.until("safety")
        try await page.countDown(clock)
        page.press("light-start")
        try await page.until("light")
    }

    /// The device's word, found by the next poll.
    func device(_ status: PairingStatus) async throws {
        try await server.pairing(
            status, foundOn: clock, every: DeviceSetup.pollInterval)
    }
}
