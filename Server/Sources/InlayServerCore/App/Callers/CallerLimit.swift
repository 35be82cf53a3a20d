/// The maximum numbers of an action in a period, by caller; 0 stands for no limit.
///
/// The limit of the core is below; a feature adds its own. The table in Docs/Operating.md, "Limits", shows all of
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
}
