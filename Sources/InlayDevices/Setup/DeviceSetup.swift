import Foundation
import InlayCore
@_spi(Inlay) import InlayLight
@_spi(Inlay) public import InlayWire

/// One walk through a set-up, from the first screen to the last.
///
/// ```swift
/// let setup = devices.setUp()
/// await setup.send(.start)
/// for await event in setup.events() {
///     if case .paired(let device) = event { … }
/// }
/// ```
/// Show it with a ``DeviceSetupSurface``, or draw its states yourself. The network's password is in memory
/// until the device is paired or the set-up ends, and nowhere else.
public actor DeviceSetup {
    /// The maximum time until a device answers, from the light's start; from the Next button after a picture
    /// or a code to type, which themselves stay for as long as the server accepts the code, ten minutes.
    public static let limit = Duration.seconds(90)
    /// The poll interval while there is no live connection.
    public static let pollInterval = Duration.seconds(1)

    nonisolated let devices: Devices
    private var machine: DeviceSetupMachine
    private let tipsOnly: Bool
    private let stateObservers = Observers<DeviceSetupState>(.bufferingNewest(256))
    private let eventObservers = Observers<DeviceSetup.Event>(.bufferingNewest(256))
    private let known = Locked(DeviceSetupState())
    private let work = SessionWork()
    private var counting: Task<Void, Never>?
    private var watching: Task<Void, Never>?

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
    package nonisolated var state: DeviceSetupState { known.withLock { $0 } }

    /// The states, at once and after every step, for any number of observers. Ends with the set-up.
    package nonisolated func states() -> AsyncStream<DeviceSetupState> { stateObservers.stream(first: state) }

    /// The events that an app may act on, from now on, for any number of observers. Ends with the set-up.
    public nonisolated func events() -> AsyncStream<DeviceSetup.Event> { eventObservers.stream() }

    /// Applies an input of a person. An input that the screen does not offer is ignored.
    @_spi(Inlay) public func send(_ input: DeviceSetupInput) async {
        if input == .start, machine.state.screen == .idle {
            let account = await devices.accounts.current
            // Another start may have come in between.
            guard machine.state.screen == .idle else { return }
            machine = DeviceSetupMachine(
                machine.options, isLoggedIn: account != nil, email: account?.email ?? "", tipsOnly: tipsOnly)
        }
        apply(machine.handle(input))
    }

    /// Ends the set-up, once. After a device was paired it ends as finished, not as cancelled.
    public func cancel() async { await send(.cancel) }

    var options: DeviceSetup.Options { machine.options }

    /// The number of the screen among all that were shown.
    private(set) var place = 0

    /// The levels of the patch, one a symbol; empty when there is nothing to send.
    func lightLevels() -> [UInt8] {
        guard let payload = machine.payload, let encoder = try? LightEncoder(payload) else { return [] }
        return encoder.levels()
    }

    /// The pairing's secret and host, for a person to type.
    func typedCode() -> (code: String, host: String)? {
        guard let pairing = machine.pairing, let token = PairingToken(pairing.token) else { return nil }
        return (token.typed, pairing.host)
    }

    /// The same as the light says, for a camera.
    func pictureText() -> String? {
        guard let payload = machine.payload else { return nil }
        return PictureText.make(payload)
    }

    // MARK: Effects

    private func take(_ change: DeviceSetupMachine.Change) { apply(machine.handle(change)) }

    private func apply(_ effects: [DeviceSetupMachine.Effect]) {
        let state = machine.state
        let old = known.withLock { known in
            defer { known = state }
            return known
        }
        let isNew = old != state
        if !old.screen.isSame(as: state.screen) { place += 1 }
        if isNew { stateObservers.yield(state) }
        for effect in effects { run(effect) }
    }

    private func run(_ effect: DeviceSetupMachine.Effect) {
        switch effect {
        case .ask(let question, let id):
            let name = machine.options.deviceName
            // Ends with the answer, or with the set-up.
            work.start { [weak self, devices] in
                let answer = await DeviceSetupQuestions(devices: devices, name: name).answer(question)
                await self?.take(.answer(answer, id: id))
            }
        case .countDown: countDown()
        case .stopCounting: counting?.cancel()
        case .watch(let pairing): watch(pairing)
        case .stopWatching: watching?.cancel()
        case .giveUp(let pairing, let reason):
            // Ends with the answer, and not with the set-up: it reports the set-up's end.
            Task { [devices] in try? await devices.cancelPairing(pairing, reason: reason) }
        case .recoverAddress: eventObservers.yield(.open(address: devices.usernameRecoveryPage))
        case .recoverPassword: eventObservers.yield(.open(address: devices.passwordRecoveryPage))
        case .publish(let event):
            eventObservers.yield(event)
            if event == .failed(.tooLong) { warnOfHost() }
            if case .ended = event { finish() }
        }
    }

    private func warnOfHost() {
        let bytes = machine.pairing?.host.utf8.count ?? 0
        devices.parts.configuration.session.logger.error(
            "The light cannot carry the network and a host of \(bytes) bytes: shorten the server's publicUrl to \(Pairing.maximumHostLength)"
        )
    }

    private func countDown() {
        counting?.cancel()
        let clock = devices.parts.clock
        // Ends at zero, when the screen is left, or with the set-up.
        counting = work.start { [weak self] in
            while !Task.isCancelled, (try? await clock.sleep(for: .seconds(1))) != nil {
                await self?.take(.tick)
            }
        }
    }

    private func watch(_ pairing: Pairing) {
        watching?.cancel()
        // Ends with a final word, at the limit, when the screen is left, or with the set-up.
        watching = work.start { [weak self, devices] in
            let watch = PairingWatch(devices: devices, pairing: pairing)
            await watch.run(limit: Self.limit) { [weak self] change in
                await self?.take(change)
            }
        }
    }

    private func finish() {
        work.end()
        stateObservers.finish()
        eventObservers.finish()
    }
}

/// The text of a code for a camera: the payload of the light link as text.
private enum PictureText {
    /// The prefix by which a reader recognizes the text.
    static let prefix = "INLAY1:"

    static func make(_ payload: LightPayload) -> String? {
        guard let encoder = try? LightEncoder(payload) else { return nil }
        return prefix + Data(encoder.bytes).base64EncodedString()
    }
}

extension DeviceSetup {
    /// A fact of a set-up that the app may act on.
    public enum Event: Hashable, Sendable {
        /// The server let the person in, or did not.
        case authenticated(Bool)
        /// The server let the app in, or did not.
        case authorized(Bool)
        /// A device was added.
        case paired(Device)
        /// A try came to nothing. Another may follow in the same set-up.
        case failed(DeviceSetup.Failure)
        /// The patch begins or ends to flash: full brightness, no idle timer and no rotation while it does.
        case light(Bool)
        /// The tips were read to their end.
        case tipsCompleted
        /// Wants a page of the server in the phone's browser.
        case open(address: String)
        /// It is over; the last event.
        case ended(DeviceSetup.End)
    }
}
