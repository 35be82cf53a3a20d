public import Foundation
import InlayCore

/// What an app decides about its ads. Everything has a default; nothing here ever asks the user for anything.
public struct AdsConfiguration: Sendable {
    /// Where ads come from; default our own route below the session's base URL.
    public var source = Source.inlay
    /// How the app is called in requests; default what its bundle says.
    public var app = AdApp.current
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
    /// How long an answer may take; default 5 s, 0.1...30 s.
    public var timeout = Duration.seconds(5)
    /// Reads VAST; `nil` takes the SDK's own reader.
    var videos: (any AdVideoReader)?

    /// What an app gets that decides nothing.
    public init() {}

    /// Where ads come from.
    public enum Source: Hashable, Sendable {
        /// Our own route: the documented request and answer, with `ext`.
        case inlay
        /// Any server that speaks the documented wire, at this address. The request has the seven
        /// documented keys and nothing else: no consent strings, no size.
        case documented(URL)
    }
}

/// How an app is called in ad requests.
public struct AdApp: Hashable, Sendable {
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

    /// What the running app's bundle says; empty where it says nothing.
    public static var current: AdApp {
        let info = Bundle.main.infoDictionary ?? [:]
        return AdApp(
            bundle: Bundle.main.bundleIdentifier ?? "",
            name: (info["CFBundleDisplayName"] ?? info["CFBundleName"]) as? String ?? "")
    }
}
