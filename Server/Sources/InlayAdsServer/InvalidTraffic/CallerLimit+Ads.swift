package import InlayServerCore

extension CallerLimit {
    /// The limit of ad requests: in five seconds five times `adsPerNetwork` for a network, and five times as many for a
    /// whole block, which many people share.
    package static func adRequests(_ rates: RateLimits) -> Self {
        let maximum = rates.adsPerNetwork * 5
        return Self(
            "requests for ads", maximum, perIPv4Block: maximum * 5, perIPv6Block: maximum * 5,
            period: .seconds(5))
    }
}
