import InlayServerCore
@_spi(Inlay) import InlayWire

extension LogInAttempts {
    /// The attempts to log in with an address of an environment.
    init(environmentID: EnvironmentID, address: MailAddress, caller: CallerAddress) {
        self.init(table: .endUsers, environmentID: environmentID, name: address.text, caller: caller)
    }
}
