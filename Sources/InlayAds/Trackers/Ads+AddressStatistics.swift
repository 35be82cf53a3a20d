import InlayCore
@_spi(Inlay) import InlayWire

extension Ads {
    /// The outcomes of addresses that advertisers name with http. They are requested with https and never otherwise.
    public struct AddressStatistics: Hashable, Sendable {
        /// The number of addresses of video ads that came with http.
        public internal(set) var upgraded = 0
        /// The number of failed tracker calls to their hosts: the host does not answer over https, or refused. A
        /// call that is retried counts again.
        public internal(set) var failedCalls = 0
    }
}

/// Counts for `Ads.AddressStatistics`.
final class AdAddressCounter: Sendable {
    private struct State {
        var statistics = Ads.AddressStatistics()
        var hosts: Set<String> = []
    }

    /// More hosts than any session shows ads of; further ones are fetched alike and not counted.
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

    /// Counts a call that failed, where its host was named with http.
    func failed(_ address: String) {
        let host = Self.host(address)
        state.withLock { if $0.hosts.contains(host) { $0.statistics.failedCalls += 1 } }
    }

    private static func host(_ address: String) -> String {
        guard let start = address.range(of: "://")?.upperBound else { return "" }
        return address[start...].prefix { !"/?#:".contains($0) }.lowercased()
    }
}
