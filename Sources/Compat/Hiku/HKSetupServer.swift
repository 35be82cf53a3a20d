public import Foundation
internal import InlayCore

/// The server for an app's accounts and devices. Not part of the API of the hiku iOS SDK, which had a fixed server.
public struct HKSetupServer: Sendable {
    /// The server's address.
    public var url: URL
    /// The environment's id, from the Workbench.
    public var environmentID: String
    /// The environment's public API key, from the Workbench.
    public var apiKey: String
    /// The folder that stores the log-in; `nil` uses `InlayHiku` in the app's support folder.
    public var folder: URL?

    /// Creates a server with its address, an environment and the environment's key.
    public init(url: URL, environmentID: String, apiKey: String, folder: URL? = nil) {
        self.url = url
        self.environmentID = environmentID
        self.apiKey = apiKey
        self.folder = folder
    }

    /// The server in the app's `Info.plist` under `InlaySetup`: a dictionary with `Server`, `Environment` and
    /// `ApiKey`. `nil` when a value is missing.
    public static var main: HKSetupServer? { HKSetupServer(information: Bundle.main.infoDictionary ?? [:]) }

    init?(information: [String: Any]) {
        guard let values = information["InlaySetup"] as? [String: Any],
            let url = (values["Server"] as? String).flatMap({ URL(string: $0) }),
            let environment = values["Environment"] as? String, let key = values["ApiKey"] as? String
        else { return nil }
        self.init(url: url, environmentID: environment, apiKey: key)
    }

    var configuration: SessionConfiguration {
        SessionConfiguration(
            environmentID: environmentID, apiKey: apiKey, baseURL: url,
            folder: folder ?? SessionConfiguration.supportFolder("InlayHiku"))
    }
}
