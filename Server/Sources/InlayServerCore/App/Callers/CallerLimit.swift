/// The maximum numbers of an action in a period, by caller; 0 stands for no limit.
///
/// The limits of the core are below; a feature adds its own. The table in Docs/Operating.md, "Limits", shows all of
/// them, and a test compares the two.
package struct CallerLimit: Hashable, Sendable {
    /// The limited action, as the guide names it. Each has counts of its own.
    package let name: String
    /// The maximum of one network: an IPv4 address or an IPv6 /64. Many phones may share one.
    package let maximumPerNetwork: Int
    /// The maximum of one IPv4 /24.
    package let maximumPerIPv4Block: Int
    /// The maximum of one IPv6 /48, which one customer of a provider may have whole.
    package let maximumPerIPv6Block: Int
    /// The period of the counts, which begins with the first one.
    package let period: Duration

    package init(
        _ name: String, _ maximumPerNetwork: Int, perIPv4Block: Int = 0, perIPv6Block: Int = 0,
        period: Duration = .seconds(900)
    ) {
        self.name = name
        self.maximumPerNetwork = maximumPerNetwork
        maximumPerIPv4Block = perIPv4Block
        maximumPerIPv6Block = perIPv6Block
        self.period = period
    }
}

extension CallerLimit {
    /// Wrong passwords of operators, whatever the login.
    package static let operatorSignInFailures = Self("wrong passwords of operators", 20, perIPv6Block: 100)
    /// New accounts of end users.
    package static let newAccounts = Self("new accounts", 300)
    /// Passwords of end users: log-ins, changes of the password, deletions of the account.
    package static let endUserPasswords = Self("passwords of end users", 300)
    /// Codes from mails, right or wrong, whatever the mail address.
    package static let mailCodes = Self("codes from mails", 300)
    /// Codes that are tried for one mail address.
    package static let mailCodesPerAddress = Self("codes from mails to one address", 20, perIPv6Block: 100)
    /// Mails with codes that apps ask for.
    package static let requestedMails = Self("mails that apps ask for", 60)
    /// Mails that the recovery pages ask for.
    package static let recoveryPageMails = Self("mails that the recovery pages ask for", 60)
    /// Sessions of end users that are renewed or ended by their refresh tokens.
    package static let tokenRefreshes = Self("refresh tokens of end users", 1200)
    /// Reports of devices during their set-up.
    package static let setupReports = Self("reports of devices in their set-up", 1200)
    /// Devices that are offered to other accounts.
    package static let transferOffers = Self("devices offered to other accounts", 60)
    /// Wrong credentials of one OAuth client.
    package static let oauthFailuresPerClient = Self("wrong OAuth credentials of one client", 10)
    /// Wrong OAuth credentials, whatever the client.
    package static let oauthFailures = Self("wrong OAuth credentials", 100)

    /// Every limit of the core.
    static let all = [
        operatorSignInFailures, newAccounts, endUserPasswords, mailCodes, mailCodesPerAddress, requestedMails,
        recoveryPageMails, tokenRefreshes, setupReports, transferOffers, oauthFailuresPerClient,
        oauthFailures,
    ]
}
