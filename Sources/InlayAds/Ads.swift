public import InlayCore
public import InlayWire

extension InlaySession {
    /// The ads of this session.
    public var ads: Ads { feature(Ads.self) { Ads(self) } }
}

/// Ads: ad places of the app, filled by the exchange.
public final class Ads: Sendable {
    let session: InlaySession

    init(_ session: InlaySession) { self.session = session }

    /// Says whose ads these are. Sends nothing.
    ///
    /// - Throws: `AdError.invalidPublisher` when the id is not the UUID that the Workbench shows.
    public func initialize(publisherID: String, _ configuration: AdsConfiguration = AdsConfiguration())
        async throws(AdError)
    {}

    /// An ad place; every call makes one of its own.
    public func placement(unitID: String, format: AdFormat? = nil, size: AdSize? = nil) -> AdPlacement {
        AdPlacement(unitID: unitID, format: format, size: size)
    }
}
