import InlayServerCore

/// Detects requests and trackers that come from no person: from known bots and from blocked networks.
///
/// They are answered like all others, so that the lists cannot be learned by trying. What is handed out to them takes
/// nothing from a campaign, is offered to no bidder, and is neither billed nor rewarded.
struct AdTrafficFilter: Sendable {
    private let bots: AdBots
    private let blocked: [NetworkRange]

    /// A filter with the server's own bots and networks added. What is no network was refused with the settings.
    init(botAgents: [String] = [], blockedNetworks: [String] = []) {
        bots = AdBots(adding: botAgents)
        blocked = blockedNetworks.compactMap { NetworkRange($0) }
    }

    /// Returns the reason why an ad request is invalid; `nil` when it is not.
    ///
    /// - Parameters:
    ///   - address: The caller's.
    ///   - agent: The `User-Agent` of the call.
    ///   - device: The device's user agent, as the request's body says it.
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
