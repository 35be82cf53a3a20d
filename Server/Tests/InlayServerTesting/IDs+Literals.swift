package import InlayAdsServer
package import InlayBehaviorsServer
package import InlayCardsServer
package import InlayHubServer
package import InlayServerCore

extension CallerAddress: ExpressibleByStringInterpolation {
    /// Creates an address; any other text is the name of a caller without an address.
    package init(stringLiteral text: String) { self = CallerAddress(text) ?? CallerAddress(name: text) }
}

// Lets tests write ids as string literals; their form is not checked.
extension Identifier where Self: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(verified: text) }
}

extension EnvironmentID: ExpressibleByStringInterpolation {}
extension UserID: ExpressibleByStringInterpolation {}
extension ApplicationID: ExpressibleByStringInterpolation {}
extension SegmentID: ExpressibleByStringInterpolation {}

extension CardContainerID: ExpressibleByStringInterpolation {}
extension CardEventID: ExpressibleByStringInterpolation {}
extension CardLifecycleID: ExpressibleByStringInterpolation {}
extension CardTemplateID: ExpressibleByStringInterpolation {}

extension HubSourceID: ExpressibleByStringInterpolation {}

extension OAuthClientID: ExpressibleByStringInterpolation {}

extension AdBidderID: ExpressibleByStringInterpolation {}
extension AdCampaignID: ExpressibleByStringInterpolation {}
extension AdDealID: ExpressibleByStringInterpolation {}
extension AdImpressionID: ExpressibleByStringInterpolation {}
