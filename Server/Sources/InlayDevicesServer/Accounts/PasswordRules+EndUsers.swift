import InlayServerCore
@_spi(Inlay) import InlayWire

extension PasswordRules {
    /// The rules for an end user of an application.
    init(_ application: DeviceApplication, _ address: MailAddress) {
        self.init(
            minimumLength: application.minimumPasswordLength, login: address.text, service: application.name)
    }
}
