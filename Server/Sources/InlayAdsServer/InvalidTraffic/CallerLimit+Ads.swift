package import InlayServerCore

extension CallerLimit {
    /// Requests for ads: five seconds' worth at once, and five times as many of a whole block, which many people share.
    package static func adRequests(_ rates: RateLimits) -> Self {
        let maximum = rates.adsPerNetwork * 5
        return Self(
            "requests for ads", maximum, perIPv4Block: maximum * 5, perIPv6Block: maximum * 5,
            period: .seconds(5))
    }
}
