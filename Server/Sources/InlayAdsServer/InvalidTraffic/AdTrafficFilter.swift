import InlayServerCore

/// A filter that detects ad requests and tracker calls of known bots and from blocked networks.
///
/// Their responses are like all others, so that a caller cannot find out the lists by trial. Their ads take nothing
/// from a campaign, are offered to no bidder, and are neither billed nor rewarded.
struct AdTrafficFilter: Sendable {
    private let bots: AdBots
    private let blocked: [NetworkRange]

    /// Creates a filter with additional patterns of user agents and with blocked networks. The server does not start
    /// with settings that name an invalid network, so those are skipped here.
    init(botAgents: [String] = [], blockedNetworks: [String] = []) {
        bots = AdBots(adding: botAgents)
        blocked = blockedNetworks.compactMap { NetworkRange($0) }
    }

    /// Returns the reason why an ad request is invalid; `nil` when it is not.
    ///
    /// - Parameters:
    ///   - address: The caller's address.
    ///   - agent: The `User-Agent` of the call.
    ///   - device: The device's user agent in the request's body.
    func reason(address: CallerAddress, agent: String, device: String) -> AdRefusal? {
        if bots.matches(device: device) { return .knownBot }
        return reason(address: address, agent: agent)
    }

    /// Returns the reason why the call of a tracker is invalid; `nil` when it is not.
    func reason(address: CallerAddress, agent: String) -> AdRefusal? {
        if bots.matches(caller: agent) { return .knownBot }
        return blocked.contains { $0.contains(address) } ? .blockedNetwork : nil
    }
}
