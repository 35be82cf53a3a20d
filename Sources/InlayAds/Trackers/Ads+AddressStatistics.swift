import InlayCore
@_spi(Inlay) import InlayWire

extension Ads {
    /// Statistics of the advertisers' addresses that came with http. They are requested with https only.
    public struct AddressStatistics: Hashable, Sendable {
        /// The number of addresses of video ads that came with http.
        public internal(set) var upgraded = 0
        /// The number of failed tracker calls to the hosts of such addresses: the host does not answer over https, or
        /// refused. Each failed retry counts again.
        public internal(set) var failedCalls = 0
    }
}

/// A counter for `Ads.AddressStatistics`.
final class AdAddressCounter: Sendable {
    private struct State {
        var statistics = Ads.AddressStatistics()
        var hosts: Set<String> = []
    }

    /// More hosts than the ads of any session have. Calls to further hosts are sent, but their failures not counted.
    private static let maximumHosts = 1000
    private let state = Locked(State())

    var statistics: Ads.AddressStatistics { state.withLock { $0.statistics } }

    /// Counts the addresses of an ad that was loaded.
    func loaded(_ video: AdVideo) {
        let hosts = video.upgrades.map { Self.host($0.address) }
        state.withLock { state in
            state.statistics.upgraded += video.upgradeCount
            for host in hosts where state.hosts.count < Self.maximumHosts { state.hosts.insert(host) }
        }
    }

    /// Counts a failed call when an address of its host came with http.
    func failed(_ address: String) {
        let host = Self.host(address)
        state.withLock { if $0.hosts.contains(host) { $0.statistics.failedCalls += 1 } }
    }

    private static func host(_ address: String) -> String {
        guard let start = address.range(of: "://")?.upperBound else { return "" }
        return address[start...].prefix { !"/?#:".contains($0) }.lowercased()
    }
}
