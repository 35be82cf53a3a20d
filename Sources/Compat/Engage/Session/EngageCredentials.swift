import Foundation
internal import InlayXMLAPI
internal import InlayBehaviors
internal import InlayCore

/// The app's OAuth credentials and the service's host, from EngageSDK's four entries of Info.plist.
struct EngageCredentials: Sendable {
    let oauth: OAuthCredentials
    let host: String

    init(clientID: String, clientSecret: String, refreshToken: String, host: String) {
        oauth = OAuthCredentials(
            clientID: clientID, clientSecret: clientSecret, refreshToken: refreshToken)
        self.host = host
    }

    /// Reads the four entries; the error names the first one that is missing.
    init(info: (String) -> String?) throws(EngageConfigException) {
        func entry(_ name: String) throws(EngageConfigException) -> String {
            guard let value = info(name)?.trimmingCharacters(in: .whitespacesAndNewlines), !value.isEmpty
            else { throw .missingEntry(name) }
            return value
        }
        self.init(
            clientID: try entry("ENGAGE_CLIENT_ID"), clientSecret: try entry("ENGAGE_CLIENT_SECRET_META"),
            refreshToken: try entry("ENGAGE_REFRESH_TOKEN"), host: try entry("ENGAGE_HOST"))
    }

    /// Returns the service's address: https, unless the setting `Networking->secureConnection` is NO.
    func server(_ settings: BehaviorSettings) throws(EngageConfigException) -> URL {
        var name = host
        for scheme in ["https://", "http://"] where name.lowercased().hasPrefix(scheme) {
            name = String(name.dropFirst(scheme.count))
        }
        while name.hasSuffix("/") { name.removeLast() }
        let isPlain = [.bool(false), .integer(0), .string("NO"), .string("false")].contains(
            settings.table["Networking", "secureConnection"])
        guard let url = URL(string: (isPlain ? "http://" : "https://") + name), url.host?.isEmpty == false
        else { throw .unusableHost(host) }
        return url
    }
}
