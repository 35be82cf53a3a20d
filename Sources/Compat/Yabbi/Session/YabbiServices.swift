package import Foundation
@_spi(Inlay) package import InlayAds
@_spi(Inlay) package import InlayCore
package import InlayPlatform
internal import InlayWire

/// The clock, transport and folder that the facade uses; tests replace them.
package struct YabbiServices: Sendable {
    /// Returns the ad server's address from Info.plist; `Yabbi.setServer` has precedence.
    package var server: @Sendable () -> URL? = {
        (Bundle.main.object(forInfoDictionaryKey: "YabbiServerURL") as? String).flatMap(URL.init(string:))
    }
    package var transport: (any Transport)?
    package var clock: any SessionClock = SystemClock()
    /// The folder for the SDK's files.
    package var folder: URL?
    package var app = AdsConfiguration.App.current
    package var identifiers: any AdIdentifierProvider = SystemAdIdentifier()
    package var locations: any AdLocationProvider = YabbiServices.systemLocations
    package var userAgents: any AdUserAgentProvider = SystemAdUserAgent()
    package var links: any AdLinkOpener = SystemAdLinks()
    /// Asks for consent on top of a controller; `nil` when no window could be shown, or when it was closed without an
    /// answer.
    package var ask: @MainActor @Sendable (ConsentVendor, UIViewController) async -> Bool? = {
        await YabbiSystem.ask($0, $1)
    }

    package init() {}

    private static var systemLocations: any AdLocationProvider {
        #if canImport(CoreLocation)
            SystemAdLocation()
        #else
            NoAdLocation()
        #endif
    }
}

/// The facade's use of the system. Without UIKit, no question can be shown.
@MainActor enum YabbiSystem {
    static func ask(_ vendor: ConsentVendor, _ controller: UIViewController) async -> Bool? {
        #if canImport(UIKit)
            await controller.ask(title: vendor.name, message: vendor.question, no: "No", yes: "Yes")
        #else
            nil
        #endif
    }
}
