import InlayServerCore
@_spi(Inlay) import InlayWire

extension AttemptWindow {
    /// Counts a code that is tried for one address of an application's environment, which need not be one.
    func spendGuess(from address: String, about email: String, of application: DeviceApplication) throws {
        let whom = MailAddress(email)?.text ?? ""
        try spend(
            .guess, .guessWide, from: address, about: Secret.hash("\(application.environmentID)\n\(whom)"))
    }
}
