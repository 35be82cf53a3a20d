import InlayServerCore

extension CallerLimit {
    /// New accounts of end users.
    static let newAccounts = Self("new accounts", 300)
    /// Passwords of end users: log-ins, changes of the password, deletions of the account.
    static let endUserPasswords = Self("passwords of end users", 300)
    /// Codes from mails, right or wrong, whatever the mail address.
    static let mailCodes = Self("codes from mails", 300)
    /// Codes that are tried for one mail address.
    static let mailCodesPerAddress = Self("codes from mails to one address", 20, perIPv6Block: 100)
    /// Mails with codes that apps ask for.
    static let requestedMails = Self("mails that apps ask for", 60)
    /// Mails that the recovery pages ask for.
    static let recoveryPageMails = Self("mails that the recovery pages ask for", 60)
    /// Sessions of end users that are renewed or ended by their refresh tokens.
    static let tokenRefreshes = Self("refresh tokens of end users", 1200)
    /// Reports of devices during their set-up.
    static let setupReports = Self("reports of devices in their set-up", 1200)
    /// Devices that are offered to other accounts.
    static let transferOffers = Self("devices offered to other accounts", 60)

    /// Every limit of the requests about accounts and devices, in the order of the guide.
    static let allOfDevices = [
        newAccounts, endUserPasswords, mailCodes, mailCodesPerAddress, requestedMails, recoveryPageMails,
        tokenRefreshes, setupReports, transferOffers,
    ]
}
