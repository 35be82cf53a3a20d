public import Foundation
public import Logging

/// The settings of a session: server, environment, folder and limits.
public struct SessionConfiguration: Sendable {
    /// The environment's id, from the Workbench.
    public var environmentID: String
    /// The environment's public API key, from the Workbench.
    public var apiKey: String
    /// The server's address, for example `https://inlay.example.com`; http or https, a path is kept.
    public var baseURL: URL
    /// The folder for the SDK's files; made when missing, default `defaultFolder`. Store nothing else in it.
    public var folder: URL
    /// The host app's version, sent with every request; default `unknown`, cut to 128 characters.
    public var clientVersion: String {
        didSet { clientVersion = Self.trimmed(clientVersion) }
    }
    /// A token whose `exp` is nearer than this counts as expired; default 60 s, negative becomes 0.
    public var tokenExpiryInterval: Duration = .seconds(60)
    /// The time after a failure to get a token in which the provider is not called again; default 0, negative becomes
    /// 0.
    public var tokenRetryInterval: Duration = .zero
    /// The claim of the app's token that names the user; default `sub`. Must be the claim that is set for the
    /// environment on the server.
    public var userClaim: String = "sub"
    /// The subject and lifetime of tokens that the SDK does not read; `nil` when it reads them.
    package var opaqueTokens: OpaqueTokens?
    /// The means by which changes reach the app; default `.webSocket`.
    public var liveProtocol: SessionConfiguration.LiveProtocol = .webSocket
    /// The gate that decides about every connection; by default it allows all.
    public var gate: any RequestGate = OpenGate()
    /// The receiver of the debug log. `InlaySession.setDebugLevel` selects the lines, not the logger's level.
    public var logger = Logger(label: "inlay")

    /// A configuration with the defaults.
    public init(
        environmentID: String, apiKey: String, baseURL: URL, folder: URL = defaultFolder,
        clientVersion: String = "unknown"
    ) {
        self.environmentID = environmentID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.folder = folder
        self.clientVersion = Self.trimmed(clientVersion)
    }

    /// The folder `inlay` in the app's part of the user's application support folder.
    ///
    /// On Linux this is `~/.local/share/<program>/inlay`, or below `XDG_DATA_HOME`.
    public static var defaultFolder: URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return supportFolder(app).appendingPathComponent("inlay")
    }

    /// Returns the folder of this name in the user's application support folder.
    package static func supportFolder(_ name: String) -> URL {
        let files = FileManager.default
        let support = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? files.temporaryDirectory).appendingPathComponent(name, isDirectory: true)
    }

    /// The maximum length of a client version, in Unicode scalars.
    static let maximumClientVersionLength = 128

    // Scalars and not Characters: one Character can be arbitrarily long. Control characters would
    // end the header field.
    static func trimmed(_ version: String) -> String {
        let printable = version.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(printable.prefix(maximumClientVersionLength)))
        return text.isEmpty ? "unknown" : text
    }

    /// Throws when a setting would make every request fail.
    func validate() throws(SessionError) {
        for (name, value) in [("environmentID", environmentID), ("apiKey", apiKey)] {
            let isHeaderSafe = value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard !value.isEmpty, isHeaderSafe else {
                throw .invalidConfiguration(
                    "\(name) must be printable ASCII without spaces, as the Workbench shows it")
            }
        }
        guard let scheme = baseURL.scheme?.lowercased(), ["http", "https"].contains(scheme),
            baseURL.host != nil
        else {
            throw .invalidConfiguration("baseURL must be an absolute http or https address")
        }
    }
}

extension SessionConfiguration {
    /// The means by which changes reach the app.
    public enum LiveProtocol: Hashable, Sendable, CaseIterable {
        /// A WebSocket; while it does not work, HTTP polling.
        case webSocket
        /// HTTP polling only.
        case http
    }
}
