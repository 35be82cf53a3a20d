public import Foundation
import InlayCore

/// The settings of an app's ads. Everything has a default, and nothing here shows a prompt to the user.
public struct AdsConfiguration: Sendable {
    /// The server that ads are requested from; by default Inlay's own route below the session's base URL.
    public var source = Source.inlay
    /// The app in requests; by default the values of its bundle.
    public var app = AdsConfiguration.App.current
    /// Knows the advertising id; default the system's, where the user allowed it.
    public var identifiers: any AdIdentifierProvider = SystemAdIdentifier()
    /// Knows where the device is; default nobody.
    public var locations: any AdLocationProvider = NoAdLocation()
    /// Knows the web view's user agent; default the system's.
    public var userAgents: any AdUserAgentProvider = SystemAdUserAgent()
    /// Knows what the user agreed to; default what consent tools left in the standard user defaults.
    public var consent: any AdConsentSource = StoredAdConsent()
    /// Opens links; default the system's default browser.
    public var links: any AdLinkOpener = SystemAdLinks()
    /// The maximum time for a response; default 5 s, 0.1...30 s.
    public var timeout = Duration.seconds(5)
    /// Reads VAST; `nil` takes the SDK's own reader.
    var videos: (any AdVideoReader)?

    /// A configuration with the defaults.
    public init() {}

    /// The server that ads are requested from.
    public enum Source: Hashable, Sendable {
        /// Our own route: the documented request and answer, with `ext`.
        case inlay
        /// Any server that speaks the documented wire, at this address. The request has the seven
        /// documented keys and nothing else: no consent strings, no size.
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
        /// The app's number in its store. Bidders on Apple's platforms know apps by it.
        public var storeID: String?

        /// Names of one's own.
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
