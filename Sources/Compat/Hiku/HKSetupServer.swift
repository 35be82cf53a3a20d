public import Foundation
internal import InlayCore

/// The server that an app's devices are set up at. Not part of hiku iOS SDK's API, whose server was fixed.
public struct HKSetupServer: Sendable {
    /// The server's address.
    public var url: URL
    /// The environment's id, from the Workbench.
    public var environmentID: String
    /// The environment's public API key, from the Workbench.
    public var apiKey: String
    /// The folder for the log-in; `nil` takes one in the app's support folder.
    public var folder: URL?

    /// A server with an environment on it.
    public init(url: URL, environmentID: String, apiKey: String, folder: URL? = nil) {
        self.url = url
        self.environmentID = environmentID
        self.apiKey = apiKey
        self.folder = folder
    }

    /// The server in the app's `Info.plist` under `InlaySetup`: a dictionary with `Server`, `Environment` and
    /// `ApiKey`. `nil` when one is missing.
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
