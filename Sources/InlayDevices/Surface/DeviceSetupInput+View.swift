internal import InlayDevicesView
@_spi(Inlay) import InlayDevicesView

extension DeviceSetupInput {
    /// Converts an event of a page.
    init(_ event: SetupViewEvent) {
        switch event {
        case .back: self = .back
        case .close: self = .cancel
        case .next: self = .next
        case .skip: self = .skipTips
        case .tryAgain: self = .tryAgain
        case .changeNetwork: self = .changeNetwork
        case .mail(let address): self = .mail(address)
        case .code(let code): self = .code(code)
        case .password(let password): self = .password(password)
        case .reset(let code, let password): self = .newPassword(code: code, password: password)
        case .network(let name, let password): self = .network(name: name, password: password)
        case .recoverPassword: self = .recoverPassword
        case .sendAgain: self = .sendAgain
        case .usePassword: self = .usePassword
        case .useCode: self = .useCode
        case .forgotPassword: self = .forgotPassword
        case .forgotAddress: self = .forgotAddress
        case .lightStart: self = .startLight
        case .lightStopped: self = .lightStopped
        case .lightRead: self = .lightWasRead
        case .picture: self = .usePicture
        case .typed: self = .useTypedCode
        case .light: self = .useLight
        case .lamp(let reason): self = .lampReported(reason)
        }
    }
}
