import Foundation
import InlayCore
@_spi(Inlay) import InlayLight
@_spi(Inlay) public import InlayWire

/// One run of a set-up, from the first screen to the last.
///
/// ```swift
/// let setup = devices.setUp()
/// await setup.send(.start)
/// for await event in setup.events() {
///     if case .paired(let device) = event { … }
/// }
/// ```
/// Show it with a ``DeviceSetupSurface``. The network's password is in memory until the device is paired or the set-up
/// ends, and is stored nowhere else.
public actor DeviceSetup {
    /// The maximum time until a device responds, from the start of the light or, with a picture or a code to type, from
    /// the Next button. Before that button, the server's limit for the code applies: ten minutes.
    public static let limit = Duration.seconds(90)
    /// The poll interval while there is no live connection.
    public static let pollInterval = Duration.seconds(1)

    nonisolated let devices: Devices
    private var machine: DeviceSetupMachine
    private let tipsOnly: Bool
    private let stateObservers = Observers<DeviceSetupState>(.bufferingNewest(256))
    private let eventObservers = Observers<DeviceSetup.Event>(.bufferingNewest(256))
    private let publishedState = Locked(DeviceSetupState())
    private let work = SessionWork()
    private var countdownTask: Task<Void, Never>?
    private var watchTask: Task<Void, Never>?

    init(_ devices: Devices, _ options: DeviceSetup.Options, tipsOnly: Bool = false) {
        self.devices = devices
        self.tipsOnly = tipsOnly
        machine = DeviceSetupMachine(options, isLoggedIn: false, tipsOnly: tipsOnly)
    }

    deinit {
        work.end()
        stateObservers.finish()
        eventObservers.finish()
    }

    /// The current state.
    package nonisolated var state: DeviceSetupState { publishedState.withLock { $0 } }

    /// Returns a stream of the current state and each later one, for any number of observers. Ends with the set-up.
    package nonisolated func states() -> AsyncStream<DeviceSetupState> { stateObservers.stream(first: state) }

    /// Returns a stream of the events from now on, for any number of observers. Ends with the set-up.
    public nonisolated func events() -> AsyncStream<DeviceSetup.Event> { eventObservers.stream() }

    /// Applies an input of the user. An input that the screen does not offer is ignored.
    @_spi(Inlay) public func send(_ input: DeviceSetupInput) async {
        if input == .start, machine.state.screen == .idle {
            let account = await devices.accounts.current
            // During the `await`, another call may have started the set-up.
            guard machine.state.screen == .idle else { return }
            machine = DeviceSetupMachine(
                machine.options, isLoggedIn: account != nil, email: account?.email ?? "", tipsOnly: tipsOnly)
        }
        apply(machine.handle(input))
    }

    /// Ends the set-up. Once a device is paired, the set-up ends as finished, not as cancelled.
    public func cancel() async { await send(.cancel) }

    var options: DeviceSetup.Options { machine.options }

    /// The number of screens that were shown so far.
    private(set) var screenNumber = 0

    /// The brightness levels of the flashing square, one per symbol; empty when there is nothing to send.
    func lightLevels() -> [UInt8] {
        guard let payload = machine.payload, let encoder = try? LightEncoder(payload) else { return [] }
        return encoder.levels()
    }

    /// The pairing's token and host, for a person to type.
    func typedCode() -> (code: String, host: String)? {
        guard let pairing = machine.pairing, let token = PairingToken(pairing.token) else { return nil }
        return (token.typed, pairing.host)
    }

    /// The text of the QR code: the same data as the light carries.
    func pictureText() -> String? {
        guard let payload = machine.payload else { return nil }
        return PictureText.make(payload)
    }

    // MARK: Effects

    private func handle(_ change: DeviceSetupMachine.Change) { apply(machine.handle(change)) }

    private func apply(_ effects: [DeviceSetupMachine.Effect]) {
        let state = machine.state
        let old = publishedState.withLock { publishedState in
            defer { publishedState = state }
            return publishedState
        }
        let isNew = old != state
        if !old.screen.isSame(as: state.screen) { screenNumber += 1 }
        if isNew { stateObservers.yield(state) }
        for effect in effects { run(effect) }
    }

    private func run(_ effect: DeviceSetupMachine.Effect) {
        switch effect {
        case .send(let request, let id):
            let name = machine.options.deviceName
            // Ends with the reply, or with the set-up.
            work.start { [weak self, devices] in
                let reply = await DeviceSetupRequests(devices: devices, name: name).reply(to: request)
                await self?.handle(.reply(reply, id: id))
            }
        case .countDown: countDown()
        case .stopCounting: countdownTask?.cancel()
        case .watch(let pairing): watch(pairing)
        case .stopWatching: watchTask?.cancel()
        case .giveUp(let pairing, let reason):
            // Ends with the response. The set-up does not cancel it, because it reports the set-up's end.
            Task { [devices] in try? await devices.cancelPairing(pairing, reason: reason) }
        case .recoverAddress: eventObservers.yield(.open(address: devices.usernameRecoveryPage))
        case .recoverPassword: eventObservers.yield(.open(address: devices.passwordRecoveryPage))
        case .publish(let event):
            eventObservers.yield(event)
            if event == .failed(.tooLong) { logHostTooLong() }
            if case .ended = event { finish() }
        }
    }

    private func logHostTooLong() {
        let bytes = machine.pairing?.host.utf8.count ?? 0
        devices.dependencies.configuration.session.logger.error(
            "The light cannot carry the network and a host of \(bytes) bytes: shorten the server's publicUrl to \(Pairing.maximumHostLength)"
        )
    }

    private func countDown() {
        countdownTask?.cancel()
        let clock = devices.dependencies.clock
        // Ends when the countdown is over, when the screen is left, or with the set-up.
        countdownTask = work.start { [weak self] in
            while !Task.isCancelled, (try? await clock.sleep(for: .seconds(1))) != nil {
                await self?.handle(.tick)
            }
        }
    }

    private func watch(_ pairing: Pairing) {
        watchTask?.cancel()
        // Ends with a final status, at the limit, when the screen is left, or with the set-up.
        watchTask = work.start { [weak self, devices] in
            let watch = PairingWatch(devices: devices, pairing: pairing)
            await watch.run(limit: Self.limit) { [weak self] change in
                await self?.handle(change)
            }
        }
    }

    private func finish() {
        work.end()
        stateObservers.finish()
        eventObservers.finish()
    }
}

/// The text of a QR code: the payload of the light link in base64, after a prefix.
private enum PictureText {
    /// The prefix by which a reader recognizes the text.
    static let prefix = "INLAY1:"

    static func make(_ payload: LightPayload) -> String? {
        guard let encoder = try? LightEncoder(payload) else { return nil }
        return prefix + Data(encoder.bytes).base64EncodedString()
    }
}

extension DeviceSetup {
    /// An event of a set-up that the app may react to.
    public enum Event: Hashable, Sendable {
        /// The server accepted or refused the user's log-in.
        case authenticated(Bool)
        /// The server accepted or refused the app.
        case authorized(Bool)
        /// A device was added.
        case paired(Device)
        /// An attempt failed. Another may follow in the same set-up.
        case failed(DeviceSetup.Failure)
        /// The square starts or stops flashing. While it flashes, the app keeps full brightness and prevents idle sleep
        /// and rotation.
        case light(Bool)
        /// The tips were read to their end.
        case tipsCompleted
        /// The app should open a page of the server in the phone's browser.
        case open(address: String)
        /// The set-up has ended; this is the last event.
        case ended(DeviceSetup.End)
    }
}
