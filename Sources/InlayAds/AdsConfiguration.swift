public import Foundation
import InlayCore

/// The settings of an app's ads. Everything has a default, and nothing here shows a prompt to the user.
public struct AdsConfiguration: Sendable {
    /// The server that ads are requested from; by default Inlay's own route below the session's base URL.
    public var source = Source.inlay
    /// The app in requests; by default the values of its bundle.
    public var app = AdsConfiguration.App.current
    /// The provider of the advertising id; by default the system's id, where the user allowed it.
    public var identifiers: any AdIdentifierProvider = SystemAdIdentifier()
    /// The provider of the device's location; by default requests have no location.
    public var locations: any AdLocationProvider = NoAdLocation()
    /// The provider of the web view's user agent; by default the user agent of the system's web view.
    public var userAgents: any AdUserAgentProvider = SystemAdUserAgent()
    /// The source of the user's consent; by default the values that consent tools store in the standard user defaults.
    public var consent: any AdConsentSource = StoredAdConsent()
    /// The opener of links; by default the system's default browser.
    public var links: any AdLinkOpener = SystemAdLinks()
    /// The maximum time for a response; default 5 s, 0.1...30 s.
    public var timeout = Duration.seconds(5)
    /// The reader of VAST; `nil` stands for the SDK's own.
    var videos: (any AdVideoReader)?

    /// A configuration with the defaults.
    public init() {}

    /// The server that ads are requested from.
    public enum Source: Hashable, Sendable {
        /// Inlay's own route: the documented request and response, with `ext`.
        case inlay
        /// Any server with the documented request and response, at this address. The request has the seven documented
        /// keys and nothing else: no consent strings, no size.
        case documented(URL)
    }
}

extension AdsConfiguration {
    /// The app in ad requests.
    public struct App: Hashable, Sendable {
        /// The technical name, for example `com.example.ferries`.
        public var bundle: String
        /// The name as people know it.
        public var name: String
        /// The app's number in its store, by which bidders on Apple's platforms identify apps.
        public var storeID: String?

        /// An app with names other than those of its bundle.
        public init(bundle: String, name: String, storeID: String? = nil) {
            self.bundle = bundle
            self.name = name
            self.storeID = storeID
        }

        /// The values of the running app's bundle; empty where it has none.
        public static var current: AdsConfiguration.App {
            let info = Bundle.main.infoDictionary ?? [:]
            return AdsConfiguration.App(
                bundle: Bundle.main.bundleIdentifier ?? "",
                name: (info["CFBundleDisplayName"] ?? info["CFBundleName"]) as? String ?? "")
        }
    }
}
