@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayWire

/// The screens from the network to the paired device.
extension DeviceSetupMachine {
    // MARK: The network

    mutating func submit(_ name: String, _ password: String) {
        guard !state.isBusy else { return }
        state.network = name
        guard (1...Self.maximumNetworkNameLength).contains(name.utf8.count) else {
            return state.mistake = .networkName
        }
        guard Self.isNetworkPassword(password) else { return state.mistake = .networkPassword }
        networkPassword = Hidden(password)
        send(.pair)
    }

    /// Whether WPA accepts the password: 8 to 63 bytes, 64 hexadecimal digits, or none for an open network.
    private static func isNetworkPassword(_ text: String) -> Bool {
        let bytes = text.utf8
        if bytes.count == 64 { return text.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return bytes.isEmpty || (8...maximumNetworkPasswordLength).contains(bytes.count)
    }

    // MARK: Light, picture and code

    /// The payload for the device; `nil` when there is nothing to send.
    var payload: LightPayload? {
        guard let pairing, let token = PairingToken(pairing.token) else { return nil }
        return LightPayload(
            ssid: state.network, password: networkPassword.text, token: token.bytes, host: pairing.host)
    }

    /// Checks before any light whether it can carry the payload. A code to type always can, so the pairing is kept for
    /// it.
    mutating func beginTransfer() {
        guard let payload else {
            giveUp(.other)
            return fail(.server)
        }
        state.isTooLong = (try? LightEncoder(payload)) == nil
        guard state.isTooLong else { return show(.safety(secondsLeft: countdown)) }
        publish(.failed(.tooLong))
        show(.failed(.tooLong))
    }

    mutating func actOnTransfer(_ input: DeviceSetupInput) {
        switch (state.screen, input) {
        case (.safety(0), .startLight):
            show(.light)
            publish(.light(true))
            watch()
        case (.safety, .usePicture) where options.allowsOtherWays,
            (.typed, .usePicture) where !state.isTooLong,
            (.light, .usePicture) where options.allowsOtherWays:
            switchTransfer(to: .picture)
        case (.safety, .useTypedCode) where options.allowsOtherWays,
            (.picture, .useTypedCode),
            (.light, .useTypedCode) where options.allowsOtherWays:
            switchTransfer(to: .typed)
        case (.picture, .useLight),
            (.typed, .useLight) where !state.isTooLong:
            leaveTransfer(for: .safety(secondsLeft: countdown))
            show(.safety(secondsLeft: countdown))
        case (.light, .lightStopped):
            leaveTransfer(for: .safety(secondsLeft: countdown))
            show(.safety(secondsLeft: countdown))
            state.mistake = .lightStopped
        case (.light, .lightWasRead), (.picture, .next), (.typed, .next): showWaiting()
        case (.light, .lampReported(let reason)), (.waiting, .lampReported(let reason)): reportFailure(reason)
        default: break
        }
    }

    private mutating func switchTransfer(to screen: DeviceSetupState.Screen) {
        leaveTransfer(for: screen)
        show(screen)
        watch()
    }

    private mutating func showWaiting() {
        if state.screen == .light { publish(.light(false)) }
        let wasByHand = isByHand
        show(.waiting)
        // The user has finished; the device's time limit begins now.
        if wasByHand { watch() }
    }

    mutating func tick() {
        guard case .safety(let left) = state.screen, left > 0 else { return }
        // The screen stays the same, so a mistake shown on it stays too.
        state.screen = .safety(secondsLeft: left - 1)
        if left == 1 { effects.append(.stopCounting) }
    }

    private mutating func watch() {
        guard let pairing else { return }
        effects.append(.watch(pairing))
    }

    /// Stops the effects of the current screen.
    mutating func leaveTransfer(for next: DeviceSetupState.Screen) {
        switch state.screen {
        case .safety: effects.append(.stopCounting)
        case .light:
            publish(.light(false))
            effects.append(.stopWatching)
        case .picture, .typed, .waiting: effects.append(.stopWatching)
        default: break
        }
    }

    // MARK: Pairing status

    mutating func apply(_ status: PairingStatus) {
        guard isWatching else { return }
        state.awaitsAddressProof = status.held ?? false
        switch status.state {
        case .issued: if let reason = status.reason { fail(.device(reason)) }
        case .seen where state.awaitsAddressProof: requestProof()
        case .seen: if !isWaiting { showWaiting() }
        case .paired: paired(status.device)
        case .rejected: fail(.device(status.reason ?? .other))
        case .expired, .superseded: fail(.device(.tokenExpired))
        }
    }

    mutating func timeOver(isLost: Bool) {
        guard isWatching else { return }
        // A device that has connected waits for its owner as long as the account exists.
        if state.awaitsAddressProof { return watch() }
        if isLost { return fail(.connectionLost) }
        // A user may need any time to type; the server reports when the code has expired.
        if isByHand { return watch() }
        // A device that never connected has read no light; one that connected has failed later.
        reportFailure(isWaiting ? .other : .noLight)
    }

    private var isWaiting: Bool { state.screen == .waiting }

    /// Whether the user transfers the code, not the light.
    private var isByHand: Bool { state.screen == .picture || state.screen == .typed }

    private var isWatching: Bool {
        switch state.screen {
        case .light, .picture, .typed, .waiting: true
        case .code: state.awaitsAddressProof
        default: false
        }
    }

    /// Asks for the code from the mail: the device has connected and is paired once the address is proven.
    private mutating func requestProof() {
        guard state.screen != .code else { return }
        if state.screen == .light { publish(.light(false)) }
        show(.code)
    }

    /// Waits for the device again, once the address is proven.
    mutating func proven() {
        state.awaitsAddressProof = false
        show(.waiting)
        watch()
    }

    private mutating func paired(_ device: Device?) {
        guard let device else { return fail(.server) }
        leaveTransfer(for: .paired)
        forget()
        state.device = device
        publish(.paired(device))
        show(options.tips > 0 ? .tip(0) : .paired)
    }

    /// Reports a failure that the server does not know yet, and shows it.
    private mutating func reportFailure(_ reason: DeviceSetupFailure) {
        giveUp(reason)
        fail(.device(reason))
    }

    private mutating func fail(_ problem: DeviceSetup.Failure) {
        leaveTransfer(for: .failed(problem))
        pairing = nil
        state.awaitsAddressProof = false
        publish(.failed(problem))
        show(.failed(problem))
    }

    // MARK: After a failure

    mutating func actOnFailure(_ input: DeviceSetupInput, _ problem: DeviceSetup.Failure) {
        guard !state.isBusy else { return }
        switch (input, problem) {
        case (_, .applicationRefused): break
        case (.useTypedCode, .tooLong) where options.allowsOtherWays: switchTransfer(to: .typed)
        case (.changeNetwork, .device), (.changeNetwork, .tooLong): show(.network)
        // Another attempt with the same network would be as long.
        case (.tryAgain, .tooLong): break
        // A device may have read the previous token already, so another attempt needs a new one.
        case (.tryAgain, _) where !state.network.isEmpty && isLoggedIn: send(.pair)
        case (.tryAgain, _): enter()
        default: break
        }
    }
}
