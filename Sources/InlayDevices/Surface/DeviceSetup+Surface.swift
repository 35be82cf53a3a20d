@_spi(Inlay) package import InlayDevicesView
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayWire

extension DeviceSetup: DeviceSetupReading {
    package func page(for event: SetupViewEvent) async -> String? {
        switch (state.screen, event) {
        case (.mail, .forgotAddress), (.logIn, .forgotAddress): devices.usernameRecoveryPage
        case (.reset, .recoverPassword): devices.passwordRecoveryPage
        default: nil
        }
    }

    package nonisolated func log(_ line: String) {
        devices.dependencies.configuration.session.logger.info("\(line)")
    }

    package nonisolated func changes() -> AsyncStream<Void> {
        let states = states()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Ends with the set-up, or when the stream's reader ends.
        let task = Task {
            for await _ in states { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    package func begin() async { await send(.start) }

    package func act(on event: SetupViewEvent) async { await send(DeviceSetupInput(event)) }

    package func screen() async -> SetupScreen {
        let state = state
        var screen = SetupScreen(body(state.screen), screenNumber: screenNumber)
        screen.email = state.email
        screen.network = state.network
        screen.networks = options.networks
        screen.isBusy = state.isBusy
        screen.mistake = state.mistake.map(SetupScreen.Mistake.init)
        screen.wasSentAgain = state.wasSentAgain
        screen.canGoBack = state.canGoBack
        screen.awaitsAddressProof = state.awaitsAddressProof
        screen.device = state.device?.name ?? ""
        screen.allowsOtherWays = options.allowsOtherWays
        screen.isTooLong = state.isTooLong
        return screen
    }

    private func body(_ screen: DeviceSetupState.Screen) -> SetupScreen.Body {
        switch screen {
        case .idle, .authorizing: return .working
        case .logo: return .logo
        case .mail: return .mail
        case .code: return .code
        case .logIn: return .logIn
        case .reset: return .reset
        case .network: return .network
        case .safety(let left): return .safety(secondsLeft: left)
        case .light:
            return .light(
                levels: lightLevels(),
                rates: LightRateSchedule.standard.steps.map {
                    SetupScreen.Step(rate: $0.symbolsPerSecond, seconds: $0.seconds)
                })
        case .picture: return .picture(text: pictureText() ?? "")
        case .typed: return .typed(code: typedCode()?.code ?? "", host: typedCode()?.host ?? "")
        case .waiting: return .waiting
        case .paired: return .paired
        case .failed(let problem): return .failed(SetupScreen.Failure(problem))
        case .tip(let index): return .tip(index)
        case .done: return .closed
        }
    }
}

extension SetupScreen.Failure {
    init(_ problem: DeviceSetup.Failure) {
        switch problem {
        case .device(let reason): self = .device(reason)
        case .connectionLost: self = .connectionLost
        case .applicationRefused: self = .applicationRefused
        case .tooLong: self = .tooLong
        case .server: self = .server
        }
    }
}

extension SetupScreen.Mistake {
    init(_ mistake: DeviceSetupMistake) {
        switch mistake {
        case .address: self = .address
        case .addressLetters: self = .addressLetters
        case .password: self = .password
        case .code: self = .code
        case .unfitPassword(let reason): self = .unfitPassword(reason)
        case .networkName: self = .networkName
        case .networkPassword: self = .networkPassword
        case .tooMany: self = .tooMany
        case .offline: self = .offline
        case .server: self = .server
        case .loggedOut: self = .loggedOut
        case .lightStopped: self = .lightStopped
        }
    }
}
