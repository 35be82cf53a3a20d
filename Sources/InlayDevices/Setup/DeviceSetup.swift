import InlayCore
import InlayLight
import InlayWire

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
    /// How long a device may take to its word, from the light's start; from ``DeviceSetupInput/next`` after a picture
    /// or a code to type, which themselves stay for as long as the server takes the code, ten minutes.
    public static let limit = Duration.seconds(90)
    /// How often the server is asked while there is no live connection.
    public static let pollInterval = Duration.seconds(1)

    nonisolated let devices: Devices
    private var machine: DeviceSetupMachine
    private let tipsOnly: Bool
    private let stateObservers = Observers<DeviceSetupState>(.bufferingNewest(256))
    private let eventObservers = Observers<DeviceSetupEvent>(.bufferingNewest(256))
    private let known = Locked(DeviceSetupState())
    private let work = SessionWork()
    private var counting: Task<Void, Never>?
    private var watching: Task<Void, Never>?

    init(_ devices: Devices, _ options: DeviceSetupOptions, tipsOnly: Bool = false) {
        self.devices = devices
        self.tipsOnly = tipsOnly
        machine = DeviceSetupMachine(options, isLoggedIn: false, tipsOnly: tipsOnly)
    }

    deinit {
        work.end()
        stateObservers.finish()
        eventObservers.finish()
    }

    /// Where it is now.
    public nonisolated var state: DeviceSetupState { known.withLock { $0 } }

    /// Where it is, at once and after every step; any number of observers. Ends with the set-up.
    public nonisolated func states() -> AsyncStream<DeviceSetupState> { stateObservers.stream(first: state) }

    /// What the app may want to act on, from now on; any number of observers. Ends with the set-up.
    public nonisolated func events() -> AsyncStream<DeviceSetupEvent> { eventObservers.stream() }

    /// What a person does. What the screen does not offer is ignored.
    public func send(_ input: DeviceSetupInput) async {
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

    var options: DeviceSetupOptions { machine.options }

    /// The number of the screen among all that were shown.
    private(set) var place = 0

    /// What the patch shows, one level a symbol; empty when there is nothing to send.
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

    private func take(_ news: DeviceSetupMachine.News) { apply(machine.handle(news)) }

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
            // Ends with the answer. Not with the set-up, whose end is what it tells.
            Task { [devices] in try? await devices.cancelPairing(pairing, reason: reason) }
        case .recoverAddress: eventObservers.yield(.open(address: devices.usernameRecoveryPage))
        case .recoverPassword: eventObservers.yield(.open(address: devices.passwordRecoveryPage))
        case .tell(let event):
            eventObservers.yield(event)
            if event == .failed(.tooLong) { warnOfHost() }
            if case .ended = event { finish() }
        }
    }

    private func warnOfHost() {
        let bytes = machine.pairing?.host.utf8.count ?? 0
        devices.parts.configuration.session.logger.error(
            "The light cannot carry the network and a host of \(bytes) bytes: shorten the server's publicUrl to \(Pairing.longestHost)"
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
            await watch.run(limit: Self.limit) { [weak self] news in
                await self?.take(news)
            }
        }
    }

    private func finish() {
        work.end()
        stateObservers.finish()
        eventObservers.finish()
    }
}
