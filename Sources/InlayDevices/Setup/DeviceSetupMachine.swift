@_spi(Inlay) import InlayWire

/// The state machine of a set-up: each input or change leads to a new state and a list of effects.
///
/// It does no work itself. Each reply has the id of its request; a reply whose request was abandoned changes
/// nothing.
struct DeviceSetupMachine: Sendable {
    /// A request to the server.
    enum Request: Hashable, Sendable {
        case createAccount(email: String)
        case prove(email: String, code: Hidden)
        case logIn(email: String, password: Hidden)
        case resetPassword(email: String)
        case setPassword(email: String, code: Hidden, password: Hidden)
        case authorize
        case pair
    }

    /// The server's reply.
    enum Reply: Hashable, Sendable {
        case opened(DeviceAccount)
        case proofNeeded
        case mailSent
        case passwordSet
        case authorized
        case pairing(Pairing)
        case failed(AccountError)
    }

    /// An action that the owner of the machine performs.
    enum Effect: Hashable, Sendable {
        case send(Request, id: Int)
        case countDown, stopCounting
        case watch(Pairing), stopWatching
        case giveUp(pairing: String, DeviceSetupFailure)
        case recoverAddress, recoverPassword
        case publish(DeviceSetup.Event)
    }

    /// An event of a set-up other than a user's input.
    enum Change: Hashable, Sendable {
        case reply(Reply, id: Int)
        case tick
        case status(PairingStatus, pairing: String)
        /// No device responded within the limit; `isLost` when the server could not be reached at the end.
        case timeOver(pairing: String, isLost: Bool)
    }

    /// The maximum number of UTF-8 bytes that a device accepts; a password of 64 hexadecimal digits is accepted too.
    static let maximumNetworkNameLength = 32
    static let maximumNetworkPasswordLength = 63

    let options: DeviceSetup.Options
    var state = DeviceSetupState()
    /// Whether a user was logged in at the start, so that the mail screens are left out.
    var isLoggedIn: Bool
    var networkPassword = Hidden("")
    var pairing: Pairing?
    /// The id of the request whose reply is awaited.
    var pendingRequestID: Int?
    var requestCount = 0
    var effects: [Effect] = []
    let tipsOnly: Bool

    init(_ options: DeviceSetup.Options, isLoggedIn: Bool, email: String = "", tipsOnly: Bool = false) {
        self.options = options
        self.isLoggedIn = isLoggedIn
        self.tipsOnly = tipsOnly
        state.email = email
    }

    /// Applies an input of the user.
    mutating func handle(_ input: DeviceSetupInput) -> [Effect] {
        effects = []
        if case .done = state.screen { return [] }
        if input == .cancel { cancel() } else { act(on: input) }
        return finished()
    }

    /// Applies an event other than an input.
    mutating func handle(_ change: Change) -> [Effect] {
        effects = []
        if case .done = state.screen { return [] }
        switch change {
        case .reply(let reply, let id):
            guard id == pendingRequestID else { return [] }
            pendingRequestID = nil
            state.isBusy = false
            apply(reply)
        case .tick: tick()
        case .status(let status, let id): if id == pairing?.id { apply(status) }
        case .timeOver(let id, let isLost): if id == pairing?.id { timeOver(isLost: isLost) }
        }
        return finished()
    }

    private mutating func finished() -> [Effect] {
        state.canGoBack = !state.isBusy && previousScreen != nil
        defer { effects = [] }
        return effects
    }

    // MARK: Input

    private mutating func act(on input: DeviceSetupInput) {
        switch (state.screen, input) {
        case (.idle, .start): begin()
        case (.logo, .next): enter()
        case (_, .back): goBack()
        case (.mail, _), (.code, _), (.logIn, _), (.reset, _): actOnAccount(input)
        case (.network, .network(let name, let password)): submit(name, password)
        case (.safety, _), (.light, _), (.picture, _), (.typed, _), (.waiting, _): actOnTransfer(input)
        case (.failed(let problem), _): actOnFailure(input, problem)
        case (.paired, .next): end(sawTips: false)
        case (.tip(let index), .next):
            if index + 1 < options.tips { return show(.tip(index + 1)) }
            publish(.tipsCompleted)
            end(sawTips: true)
        case (.tip, .skipTips): end(sawTips: false)
        default: break
        }
    }

    private mutating func begin() {
        if tipsOnly { return options.tips > 0 ? show(.tip(0)) : end(sawTips: false) }
        if options.showsLogo { show(.logo) } else { enter() }
    }

    /// The first screen after the logo.
    mutating func enter() {
        if isLoggedIn { authorize() } else { show(.mail) }
    }

    mutating func authorize() {
        show(.authorizing)
        send(.authorize)
    }

    /// The screen that the back button leads to; `nil` where there is none.
    private var previousScreen: DeviceSetupState.Screen? {
        switch state.screen {
        case .mail: options.showsLogo ? .logo : nil
        case .code: state.awaitsAddressProof ? nil : .mail
        case .logIn: .mail
        case .reset: .logIn
        case .network: nil
        case .safety, .failed(.device), .failed(.tooLong): .network
        case .typed where state.isTooLong: .network
        case .light, .picture, .typed: .safety(secondsLeft: countdown)
        case .tip(let index) where index > 0: .tip(index - 1)
        default: nil
        }
    }

    private mutating func goBack() {
        guard let previousScreen, !state.isBusy else { return }
        leaveTransfer(for: previousScreen)
        show(previousScreen)
    }

    private mutating func cancel() {
        leaveTransfer(for: .idle)
        switch state.screen {
        case .idle, .logo, .mail, .code, .logIn, .reset, .authorizing, .network, .safety, .light, .picture,
            .typed,
            .waiting, .failed:
            finish(.cancelled)
        // The device is paired: a user who closes now has finished, not cancelled.
        case .paired, .tip: end(sawTips: false)
        case .done: break
        }
    }

    // MARK: Steps

    var countdown: Int { max(options.countdown, DeviceSetup.Options.minimumCountdown) }

    mutating func show(_ screen: DeviceSetupState.Screen) {
        pendingRequestID = nil
        state.isBusy = false
        state.mistake = nil
        state.wasSentAgain = false
        state.screen = screen
        if case .safety = screen { effects.append(.countDown) }
    }

    mutating func send(_ request: Request) {
        requestCount += 1
        pendingRequestID = requestCount
        state.isBusy = true
        state.mistake = nil
        state.wasSentAgain = false
        effects.append(.send(request, id: requestCount))
    }

    mutating func publish(_ event: DeviceSetup.Event) { effects.append(.publish(event)) }

    mutating func end(sawTips: Bool) {
        guard let device = state.device else { return finish(.tipsOnly(sawTips: sawTips)) }
        finish(.finished(device, sawTips: sawTips))
    }

    private mutating func finish(_ end: DeviceSetup.End) {
        if end == .cancelled { giveUp(.cancelled) }
        forget()
        show(.done(end))
        publish(.ended(end))
    }

    /// Tells the server, with a reason, that the app does not wait for this pairing any more.
    mutating func giveUp(_ reason: DeviceSetupFailure) {
        if let pairing { effects.append(.giveUp(pairing: pairing.id, reason)) }
        pairing = nil
    }

    /// Removes the data that only the transfer to the device needed.
    mutating func forget() {
        networkPassword = Hidden("")
        pairing = nil
    }
}

/// A text that must not get into logs, crash reports or files: it prints as `hidden` and cannot be encoded.
struct Hidden: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension Hidden: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "hidden" }
    var debugDescription: String { "hidden" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
