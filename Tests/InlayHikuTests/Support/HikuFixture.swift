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
    /// The SDK's token during each call of `applicationAuthorizationStatus`, in order.
    private(set) var tokens: [String?] = []
    private let (stream, continuation) = AsyncStream.makeStream(of: Call.self)
    private(set) lazy var received = StreamRecorder(stream)

    private func record(_ call: Call, _ sdk: HKSetupSDK) {
        calls.append(call)
        senders.append(ObjectIdentifier(sdk))
        continuation.yield(call)
    }

    func count(_ call: Call) -> Int { calls.count { $0 == call } }

    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK) { record(.authenticated(success), sdk) }
    func deviceSetupStatus(_ success: Bool, sdk: HKSetupSDK) { record(.setUp(success), sdk) }
    func userCancelledSetup(_ sdk: HKSetupSDK) { record(.cancelled, sdk) }
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK) {
        tokens.append(sdk.getApplicationTokenForUser())
        record(.authorized(success), sdk)
    }
    func userCompletedTutorial(_ sdk: HKSetupSDK) { record(.tutorial, sdk) }
    func userLoggedOut(_ sdk: HKSetupSDK) { record(.loggedOut, sdk) }
}

/// A presenter that shows nothing and records the presented surfaces with their style and controller.
@MainActor final class RecordingPresenter: HKPresenting {
    private(set) var shown:
        [(surface: DeviceSetupSurface, style: SDKHKPresentationStyle, over: UIViewController?)] =
            []
    /// The dismissed surfaces, in order.
    private(set) var dismissedSurfaces: [ObjectIdentifier] = []
    var dismissed: Int { dismissedSurfaces.count }
    private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    private lazy var presented = StreamRecorder(stream)

    func present(
        _ surface: DeviceSetupSurface, style: SDKHKPresentationStyle, from controller: UIViewController?
    ) {
        shown.append((surface, style, controller))
        continuation.yield(shown.count)
    }

    func dismiss(_ surface: DeviceSetupSurface) { dismissedSurfaces.append(ObjectIdentifier(surface)) }

    /// Waits for the surface with this number, from 1 on, and returns its page.
    func page(_ count: Int = 1) async throws -> SetupPage {
        try await presented.until { $0 >= count }
        return SetupPage(shown[count - 1].surface)
    }
}

/// The facade with a scripted server.
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

    /// Completes the screens of a set-up from the network to the light.
    func advanceToLight(_ page: SetupPage) async throws {
        try await page.until("network")
        page.submit("network", ["network": "Home", "password": "correct horse"])
        try await page.until("safety")
        try await page.countDown(clock)
        page.press("light-start")
        try await page.until("light")
    }

    /// Sets the pairing's status and advances the clock until a poll has received it.
    func setPairingStatus(_ status: PairingStatus) async throws {
        try await server.setPairingStatus(
            status, foundOn: clock, every: DeviceSetup.pollInterval)
    }
}
