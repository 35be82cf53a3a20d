public import Foundation
internal import InlayCore
@_spi(Inlay) package import InlayDevices
public import InlayPlatform
internal import InlayDevicesView

/// The set-up of devices inside an app: accounts, Wi-Fi details sent by light, tips.
///
/// One object for one application. New code should use `Devices`.
@MainActor public final class HKSetupSDK: NSObject {
    /// The receiver of events; not retained.
    public weak var delegate: (any HKSetupDelegate)?
    /// The logo on the first screen of a set-up; without a logo, there is no such screen.
    public var partner_logo: UIImage?
    /// Whether the status bar is visible on all screens; `true` by default.
    public private(set) var show_status_bar = true

    let services: HKServices
    private let configuration: DevicesConfiguration?
    private let queue = SerialQueue()
    private var devices: Devices?
    private var runs: [HKRun] = []

    /// Creates an object for one application.
    ///
    /// - Parameters:
    ///   - applicationID: The application's id from the Workbench.
    ///   - sharedSecret: One of the application's two valid secrets from the Workbench.
    ///   - server: The server for accounts and devices; by default that of `Info.plist`.
    public convenience init(
        applicationID: String, sharedSecret: String, delegate: (any HKSetupDelegate)? = nil,
        server: HKSetupServer? = .main
    ) {
        self.init(
            applicationID: applicationID, sharedSecret: sharedSecret, delegate: delegate, server: server,
            services: HKServices())
    }

    package init(
        applicationID: String, sharedSecret: String, delegate: (any HKSetupDelegate)?,
        server: HKSetupServer?, services: HKServices
    ) {
        self.delegate = delegate
        self.services = services
        configuration = server.map {
            DevicesConfiguration(
                session: $0.configuration, applicationID: applicationID, applicationSecret: sharedSecret)
        }
        super.init()
        // Opened first, because this restores the log-in of an earlier run.
        queue.addOnMainActor { [weak self] in await self?.open() }
    }

    /// Sets whether the status bar is visible on all screens.
    public func showStatusBar(_ shows: Bool) { show_status_bar = shows }

    // MARK: Users

    /// Creates an account when no user is logged in and the password is empty; otherwise logs the user in. A failed
    /// log-in creates no account.
    public func loginUser(withEmail email: String, password: String) {
        queue.addOnMainActor { [weak self] in await self?.logIn(email, password) }
    }

    /// Logs the user out; does nothing when no user is logged in.
    public func logoutUser() {
        queue.addOnMainActor { [weak self] in
            guard let self, let devices, await devices.accounts.logOut() else { return }
            delegate?.userLoggedOut(self)
        }
    }

    /// Returns the application's token for the user; `nil` before the application was authorized, after a refusal, and
    /// after a log-out.
    public func getApplicationTokenForUser() -> String? { devices?.accounts.lastApplicationToken }

    // MARK: Screens

    /// Starts a set-up in modal style, over the app's topmost screen.
    public func startSetup() { startSetup(nil, withPresentationStyle: .modal) }

    /// Starts a set-up in modal style.
    public func startSetup(_ withViewController: UIViewController?) {
        startSetup(withViewController, withPresentationStyle: .modal)
    }

    /// Starts a set-up.
    public func startSetup(
        _ withViewController: UIViewController?,
        withPresentationStyle presentationStyle: SDKHKPresentationStyle
    ) { begin(isSetup: true, withViewController, presentationStyle) }

    /// Starts a set-up; this is the name under which Swift imports the Objective-C method.
    public func startSetup(
        _ withViewController: UIViewController?, with presentationStyle: SDKHKPresentationStyle
    ) { startSetup(withViewController, withPresentationStyle: presentationStyle) }

    /// Shows only the tips, in modal style, over the app's topmost screen.
    public func launchTipsFlow() { launchTipsFlow(nil, withPresentationStyle: .modal) }

    /// Shows only the tips, in modal style.
    public func launchTipsFlow(_ withViewController: UIViewController?) {
        launchTipsFlow(withViewController, withPresentationStyle: .modal)
    }

    /// Shows only the tips.
    public func launchTipsFlow(
        _ withViewController: UIViewController?,
        withPresentationStyle presentationStyle: SDKHKPresentationStyle
    ) { begin(isSetup: false, withViewController, presentationStyle) }

    /// Shows only the tips; this is the name under which Swift imports the Objective-C method.
    public func launchTipsFlow(
        _ withViewController: UIViewController?, with presentationStyle: SDKHKPresentationStyle
    ) { launchTipsFlow(withViewController, withPresentationStyle: presentationStyle) }

    // MARK: Additions to hiku's API

    /// Whether a set-up ends with the tips; `true` by default. Not part of the documented API.
    public var showsTipsAfterSetup = true
    /// The names of networks that the user can choose instead of typing one. Not part of the documented API.
    public var knownNetworks: [String] = []

    /// The surfaces on screen, oldest first, for hosts and tests.
    package var surfaces: [DeviceSetupSurface] { runs.map(\.surface) }

    /// Returns when all earlier calls have run.
    package func settled() async { await queue.settled() }

    // MARK: Implementation

    private func open() async {
        guard let configuration else { return }
        devices = try? await Devices(configuration, transport: services.transport, clock: services.clock)
    }

    private func logIn(_ email: String, _ password: String) async {
        guard let devices else { return reportFailure() }
        let isIn = await HKLogIn(accounts: devices.accounts).run(email, password)
        delegate?.userAuthenticationStatus(isIn, sdk: self)
        let isAuthorized = isIn ? (try? await devices.accounts.applicationToken()) != nil : false
        delegate?.applicationAuthorizationStatus(isAuthorized, sdk: self)
    }

    private func reportFailure() {
        delegate?.userAuthenticationStatus(false, sdk: self)
        delegate?.applicationAuthorizationStatus(false, sdk: self)
    }

    private func begin(isSetup: Bool, _ controller: UIViewController?, _ style: SDKHKPresentationStyle) {
        queue.addOnMainActor { [weak self] in self?.present(isSetup: isSetup, controller, style) }
    }

    private func present(isSetup: Bool, _ controller: UIViewController?, _ style: SDKHKPresentationStyle) {
        guard let devices, configuration?.isComplete == true else {
            // Without a server, an application id and a secret there is nothing to show.
            delegate?.applicationAuthorizationStatus(false, sdk: self)
            return
        }
        let setup = isSetup ? devices.setUp(options) : devices.tips(options)
        let appearance = SetupAppearance(
            presentation: style == .push ? .pushed : .modal, showsStatusBar: show_status_bar)
        guard
            let surface = try? DeviceSetupSurface(
                setup, appearance: appearance, logo: partner_logo?.pngData())
        else {
            return
        }
        let run = HKRun(setup: setup, surface: surface)
        runs.append(run)
        run.follow { [weak self] event in self?.handle(event, run) }
        services.presenter.present(surface, style: style, from: controller)
    }

    private var options: DeviceSetup.Options {
        var options = DeviceSetup.Options()
        options.showsLogo = partner_logo != nil
        options.afterMail = .logIn
        options.networks = knownNetworks
        if !showsTipsAfterSetup { options.tips = 0 }
        return options
    }

    private func handle(_ event: DeviceSetup.Event, _ run: HKRun) {
        switch event {
        case .authenticated(let success): delegate?.userAuthenticationStatus(success, sdk: self)
        case .authorized(let success): delegate?.applicationAuthorizationStatus(success, sdk: self)
        case .paired: delegate?.deviceSetupStatus(true, sdk: self)
        case .failed: delegate?.deviceSetupStatus(false, sdk: self)
        case .tipsCompleted: delegate?.userCompletedTutorial(self)
        case .light, .open: break
        case .ended(let end):
            runs.removeAll { $0 === run }
            services.presenter.dismiss(run.surface)
            if end == .cancelled { delegate?.userCancelledSetup(self) }
        }
    }
}

/// The two meanings of `loginUserWithEmail:password:`.
private struct HKLogIn: Sendable {
    let accounts: DeviceAccounts

    /// Creates an account or logs in; returns whether the user is logged in.
    func run(_ email: String, _ password: String) async -> Bool {
        do throws(AccountError) {
            // An account is created only without a password and while no user is logged in here.
            guard password.isEmpty, await accounts.current == nil else {
                try await accounts.logIn(email: email, password: password)
                return true
            }
            if case .opened = try await accounts.createAccount(email: email) { return true }
            return false
        } catch {
            return false
        }
    }
}

/// A set-up on screen.
@MainActor private final class HKRun {
    let setup: DeviceSetup
    let surface: DeviceSetupSurface

    init(setup: DeviceSetup, surface: DeviceSetupSurface) {
        self.setup = setup
        self.surface = surface
    }

    /// Passes every event on, in order, on the main thread.
    func follow(_ handle: @escaping @MainActor (DeviceSetup.Event) -> Void) {
        let events = setup.events()
        // Ends with the set-up.
        Task { @MainActor in for await event in events { handle(event) } }
    }
}
