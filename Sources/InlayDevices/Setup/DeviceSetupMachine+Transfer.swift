@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayWire

/// From the network to the device's word.
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
        ask(.pair)
    }

    /// Whether WPA accepts the password: 8 to 63 characters, 64 hexadecimal digits, or none for an open network.
    private static func isNetworkPassword(_ text: String) -> Bool {
        let bytes = text.utf8
        if bytes.count == 64 { return text.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return bytes.isEmpty || (8...maximumNetworkPasswordLength).contains(bytes.count)
    }

    // MARK: Light and other ways

    /// The payload for the device; `nil` when there is nothing to send.
    var payload: LightPayload? {
        guard let pairing, let token = PairingToken(pairing.token) else { return nil }
        return LightPayload(
            ssid: state.network, password: networkPassword.text, token: token.bytes, host: pairing.host)
    }

    /// Looks before any light whether it can carry what the device needs. A code to type always can, so the pairing
    /// stays for it.
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
        case (.safety, .takePicture) where options.allowsOtherWays,
            (.typed, .takePicture) where !state.isTooLong,
            (.light, .takePicture) where options.allowsOtherWays:
            take(.picture)
        case (.safety, .takeTyped) where options.allowsOtherWays,
            (.picture, .takeTyped),
            (.light, .takeTyped) where options.allowsOtherWays:
            take(.typed)
        case (.picture, .takeLight),
            (.typed, .takeLight) where !state.isTooLong:
            leaveTransfer(for: .safety(secondsLeft: countdown))
            show(.safety(secondsLeft: countdown))
        case (.light, .lightStopped):
            leaveTransfer(for: .safety(secondsLeft: countdown))
            show(.safety(secondsLeft: countdown))
            state.mistake = .lightStopped
        case (.light, .lightWasRead), (.picture, .next), (.typed, .next): wait()
        case (.light, .lampReported(let reason)), (.waiting, .lampReported(let reason)): given(reason)
        default: break
        }
    }

    private mutating func take(_ way: DeviceSetupState.Screen) {
        leaveTransfer(for: way)
        show(way)
        watch()
    }

    private mutating func wait() {
        if state.screen == .light { publish(.light(false)) }
        let wasByHand = isByHand
        show(.waiting)
        // The person took their time; the device's begins now.
        if wasByHand { watch() }
    }

    mutating func tick() {
        guard case .safety(let left) = state.screen, left > 0 else { return }
        // The screen itself stays: what was said on it stays too.
        state.screen = .safety(secondsLeft: left - 1)
        if left == 1 { effects.append(.stopCounting) }
    }

    private mutating func watch() {
        guard let pairing else { return }
        effects.append(.watch(pairing))
    }

    /// Stops what only the present screen needs.
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

    // MARK: The answer

    mutating func take(_ status: PairingStatus) {
        guard isWatching else { return }
        state.isHeld = status.held ?? false
        switch status.state {
        case .issued: if let reason = status.reason { fail(.device(reason)) }
        case .seen where state.isHeld: requestProof()
        case .seen: if !isWaiting { wait() }
        case .paired: paired(status.device)
        case .rejected: fail(.device(status.reason ?? .other))
        case .expired, .superseded: fail(.device(.tokenExpired))
        }
    }

    mutating func timeOver(isLost: Bool) {
        // A device that is there waits for its owner, as long as the account lives.
        guard isWatching, !state.isHeld else { return }
        if isLost { return fail(.connectionLost) }
        // Typing takes as long as it takes: the server says when the code is too old.
        if isByHand { return watch() }
        // A device that was never heard of saw nothing; one that was got lost on its way.
        given(isWaiting ? .other : .noLight)
    }

    private var isWaiting: Bool { state.screen == .waiting }

    /// Whether a person is at work, and not the light.
    private var isByHand: Bool { state.screen == .picture || state.screen == .typed }

    private var isWatching: Bool {
        switch state.screen {
        case .light, .picture, .typed, .waiting: true
        case .code: state.isHeld
        default: false
        }
    }

    /// The device came and is the account's once its address is proven: asks for the code from the mail.
    private mutating func requestProof() {
        guard state.screen != .code else { return }
        if state.screen == .light { publish(.light(false)) }
        show(.code)
    }

    /// The address is proven; the server's next word is the device.
    mutating func proven() {
        state.isHeld = false
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

    /// Fails for a reason that the server does not know yet.
    private mutating func given(_ reason: DeviceSetupFailure) {
        giveUp(reason)
        fail(.device(reason))
    }

    private mutating func fail(_ problem: DeviceSetup.Failure) {
        leaveTransfer(for: .failed(problem))
        pairing = nil
        state.isHeld = false
        publish(.failed(problem))
        show(.failed(problem))
    }

    // MARK: After a failure

    mutating func actOnFailure(_ input: DeviceSetupInput, _ problem: DeviceSetup.Failure) {
        guard !state.isBusy else { return }
        switch (input, problem) {
        case (_, .applicationRefused): break
        case (.takeTyped, .tooLong) where options.allowsOtherWays: take(.typed)
        case (.changeNetwork, .device), (.changeNetwork, .tooLong): show(.network)
        // The same again would not be shorter.
        case (.tryAgain, .tooLong): break
        // A token that was shown may be in a device already: another try gets another one.
        case (.tryAgain, _) where !state.network.isEmpty && isLoggedIn: ask(.pair)
        case (.tryAgain, _): enter()
        default: break
        }
    }
}
