import InlayServerCore
@_spi(Inlay) import InlayWire

extension CallerLimiter {
    /// Counts a code that is tried for one address of an application's environment, which need not be one.
    func spendGuess(
        from caller: CallerAddress, about email: String, of application: DeviceApplication
    ) throws {
        let whom = MailAddress(email)?.text ?? ""
        try spend(.guess, from: caller, about: Secret.hash("\(application.environmentID)\n\(whom)"))
    }
}
