import InlayServerCore
@_spi(Inlay) import InlayWire

extension CallerLimiter {
    /// Counts a try of a code for an address in an application's environment; `email` need not be a valid address.
    func spendMailCode(
        from caller: CallerAddress, about email: String, of application: DeviceApplication
    ) throws {
        let address = MailAddress(email)?.text ?? ""
        try spend(
            .mailCodesPerAddress, from: caller,
            about: Secret.hash("\(application.environmentID)\n\(address)"))
    }
}
