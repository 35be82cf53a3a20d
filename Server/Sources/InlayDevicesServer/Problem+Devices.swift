import InlayServerCore
@_spi(Inlay) import InlayWire

extension Problem {
    /// An application that is missing, unknown, revoked, or has another secret; the same words for all.
    static func applicationRefused(status: Int) -> Problem {
        Problem(
            .applicationRefused, status: status, title: "The application was refused.",
            detail: "Send Inlay-Application and Inlay-Application-Secret as the Workbench shows them.")
    }

    /// A wrong address or password; the same words for both.
    static let logInRefused = Problem(
        .logInRefused, status: 401, title: "The address or the password is wrong.",
        detail: "A new password can be set with a code by mail.")

    /// After a hundred wrong passwords in a row.
    static let passwordLocked = Problem(
        .rateLimited, status: 429, title: "Too many wrong passwords.",
        detail: "Set a new password with a code by mail.")

    /// A code that is wrong, used, or too old; the same words for all.
    static let mailCodeRefused = Problem(
        .mailCodeRefused, status: 401, title: "The code is wrong or has ended.",
        detail: "Codes live ten minutes and take five tries. Ask for another one.")

    /// A text that is no mail address.
    static let mailAddressInvalid = Problem(
        .mailAddressInvalid, status: 422, title: "This is not a mail address.",
        detail: "For example ada@example.com.")

    /// An address with letters that no account's address may have; the detail says where, and what to do.
    static func mailAddressUnsupported(_ address: MailAddress) -> Problem {
        let isLocal = address.text.prefix { $0 != "@" }.contains { !$0.isASCII }
        return Problem(
            .mailAddressUnsupported, status: 422, title: "This mail address has letters beyond a–z.",
            detail: isLocal
                ? "Before the @ only the letters a–z, digits and marks can be used. Choose another address."
                : "Write the domain in its ASCII form, which begins with xn--.")
    }

    /// A pairing token that is not valid; `reason` says why, for the device's log.
    static func pairingRefused(_ reason: String) -> Problem {
        Problem(.pairingRefused, status: 409, title: "The pairing token does not count.", detail: reason)
    }

    /// A device that waits for the proof of its owner's address cannot be offered.
    static let deviceHeld = Problem(
        .conflict, status: 409, title: "The device waits for its owner's proof.",
        detail: "Prove the address of the account first.")

    /// A device's credential that is unknown or has ended.
    static let credentialRefused = Problem(
        .credentialRefused, status: 401, title: "The device's credential does not count.",
        detail: "It ends when the device is removed, set up anew, or has another owner.")
}

extension Problem.Code {
    /// A device's credential is unknown or has ended.
    static let credentialRefused = Self(rawValue: "credential.refused")
}
