@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

@_spi(Inlay) extension ManualClock: TrustClock {}

extension Timestamp {
    /// The creation time of the tests' repositories: 18 May 2033, the manual clock's start.
    static let start = Timestamp(seconds: 2_000_000_000)
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
