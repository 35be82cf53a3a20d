import InlayWire

extension MailAddress {
    /// The address as an account can have it; nothing is sent for one that none can.
    static func ofAccount(_ text: String) throws(AccountError) -> MailAddress {
        guard let address = MailAddress(text) else { throw .invalidAddress }
        guard address.isASCII else { throw .unsupportedAddress }
        return address
    }
}
