public import Foundation
internal import InlayCore
@_spi(Inlay) package import InlayDevices
public import InlayPlatform
internal import InlayDevicesView

/// Device set-up inside an app: accounts, Wi-Fi by light, tips.
///
/// One object for one application. New code should use `Devices`.
@MainActor public final class HKSetupSDK: NSObject {
    /// Hears what happens; not kept alive.
    public weak var delegate: (any HKSetupDelegate)?
    /// Shown as the first screen of a set-up; without one there is no such screen.
    public var partner_logo: UIImage?
    /// Whether the status bar stays over all screens; `true` unless set.
    public private(set) var show_status_bar = true

    let services: HKServices
    private let configuration: DevicesConfiguration?
    private let queue = SerialQueue()
    private var devices: Devices?
    private var runs: [HKRun] = []

    /// An object for one application.
    ///
    /// - Parameters:
    ///   - applicationID: from the Workbench.
    ///   - sharedSecret: from the Workbench, one of the two that are live.
    ///   - server: where devices are set up; what `Info.plist` says unless given.
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
        // The log-in of an earlier run is read before anything else is done.
        queue.addOnMainActor { [weak self] in await self?.open() }
    }

    /// Sets whether the status bar stays over all screens.
    public func showStatusBar(_ shows: Bool) { show_status_bar = shows }

    // MARK: Users

    /// Creates an account when nobody is logged in and the password is empty; logs in in every other case. A
    /// log-in that fails creates nothing.
    public func loginUser(withEmail email: String, password: String) {
        queue.addOnMainActor { [weak self] in await self?.logIn(email, password) }
    }

    /// Logs the user out; nothing happens when nobody is logged in.
    public func logoutUser() {
        queue.addOnMainActor { [weak self] in
            guard let self, let devices, await devices.accounts.logOut() else { return }
            delegate?.userLoggedOut(self)
        }
    }

    /// The application's token for the user; `nil` before the application was authorised, after it was refused,
    /// and after a log-out.
    public func getApplicationTokenForUser() -> String? { devices?.accounts.lastApplicationToken }

    // MARK: Screens

    /// Starts a set-up in modal style, over whatever the app shows.
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

    /// Starts a set-up; the name as Swift imports it.
    public func startSetup(
        _ withViewController: UIViewController?, with presentationStyle: SDKHKPresentationStyle
    ) { startSetup(withViewController, withPresentationStyle: presentationStyle) }

    /// Shows the tips alone, in modal style.
    public func launchTipsFlow() { launchTipsFlow(nil, withPresentationStyle: .modal) }

    /// Shows the tips alone, in modal style.
    public func launchTipsFlow(_ withViewController: UIViewController?) {
        launchTipsFlow(withViewController, withPresentationStyle: .modal)
    }

    /// Shows the tips alone.
    public func launchTipsFlow(
        _ withViewController: UIViewController?,
        withPresentationStyle presentationStyle: SDKHKPresentationStyle
    ) { begin(isSetup: false, withViewController, presentationStyle) }

    /// Shows the tips alone; the name as Swift imports it.
    public func launchTipsFlow(
        _ withViewController: UIViewController?, with presentationStyle: SDKHKPresentationStyle
    ) { launchTipsFlow(withViewController, withPresentationStyle: presentationStyle) }

    // MARK: Beyond hiku's API

    /// Whether the tips follow a set-up; they do unless switched off. Not part of the documented API.
    public var showsTipsAfterSetup = true
    /// Networks to choose from, besides typing a name. Not part of the documented API.
    public var knownNetworks: [String] = []

    /// The surfaces on screen, oldest first, for hosts and tests.
    package var surfaces: [DeviceSetupSurface] { runs.map(\.surface) }

    /// Waits until everything that was asked for so far is done.
    package func settled() async { await queue.settled() }

    // MARK: Below

    private func open() async {
        guard let configuration else { return }
        devices = try? await Devices(configuration, transport: services.transport, clock: services.clock)
    }

    private func logIn(_ email: String, _ password: String) async {
        guard let devices else { return refuse() }
        let isIn = await HKLogIn(accounts: devices.accounts).run(email, password)
        delegate?.userAuthenticationStatus(isIn, sdk: self)
        let isAuthorized = isIn ? (try? await devices.accounts.applicationToken()) != nil : false
        delegate?.applicationAuthorizationStatus(isAuthorized, sdk: self)
    }

    private func refuse() {
        delegate?.userAuthenticationStatus(false, sdk: self)
        delegate?.applicationAuthorizationStatus(false, sdk: self)
    }

    private func begin(isSetup: Bool, _ controller: UIViewController?, _ style: SDKHKPresentationStyle) {
        queue.addOnMainActor { [weak self] in self?.present(isSetup: isSetup, controller, style) }
    }

    private func present(isSetup: Bool, _ controller: UIViewController?, _ style: SDKHKPresentationStyle) {
        guard let devices, configuration?.isComplete == true else {
            // Without an id and a secret nothing can be set up, and there is nothing to show.
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

    /// Whether the user is in.
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

/// One set-up on screen, from its start to its end.
@MainActor private final class HKRun {
    let setup: DeviceSetup
    let surface: DeviceSetupSurface

    init(setup: DeviceSetup, surface: DeviceSetupSurface) {
        self.setup = setup
        self.surface = surface
    }

    /// Hands every event on, in order, on the main thread.
    func follow(_ handle: @escaping @MainActor (DeviceSetup.Event) -> Void) {
        let events = setup.events()
        // Ends with the set-up.
        Task { @MainActor in for await event in events { handle(event) } }
    }
}
