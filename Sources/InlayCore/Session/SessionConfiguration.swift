public import Foundation
public import Logging

/// What an app tells the SDK before a session starts.
public struct SessionConfiguration: Sendable {
    /// The environment's id, from the Workbench.
    public var environmentID: String
    /// The environment's public API key, from the Workbench.
    public var apiKey: String
    /// Where the server is, for example `https://inlay.example.com`; http or https, a path is kept.
    public var baseURL: URL
    /// The folder that the SDK may fill; made when missing. Give it to nothing else.
    public var folder: URL
    /// The host app's version, sent with every request; default `unknown`, cut to 128 characters.
    public var clientVersion: String {
        didSet { clientVersion = Self.trimmed(clientVersion) }
    }
    /// A token whose `exp` is nearer than this counts as expired; default 60 s, negative becomes 0.
    public var tokenExpiryInterval: Duration = .seconds(60)
    /// After a failure to get a token the provider is left alone for this long; default 0, negative
    /// becomes 0.
    public var tokenRetryInterval: Duration = .zero
    /// The claim of the app's token that names the user; default `sub`. Must be what the
    /// environment on the server is set to.
    public var userClaim: String = "sub"
    /// When not `nil`, the provider gives tokens that are not read.
    package var opaqueTokens: OpaqueTokens?
    /// How changes reach the app; default `.webSocket`.
    public var liveProtocol: LiveProtocol = .webSocket
    /// Decides over every connection; default allows all.
    public var gate: any RequestGate = OpenGate()
    /// Receives the debug log; which lines, `InlaySession.setDebugLevel` says, not the logger's level.
    public var logger = Logger(label: "inlay")

    /// A configuration with the defaults.
    public init(
        environmentID: String, apiKey: String, baseURL: URL, folder: URL, clientVersion: String = "unknown"
    ) {
        self.environmentID = environmentID
        self.apiKey = apiKey
        self.baseURL = baseURL
        self.folder = folder
        self.clientVersion = Self.trimmed(clientVersion)
    }

    /// The longest client version, in Unicode scalars.
    static let longestClientVersion = 128

    // Scalars and not Characters: one Character can be arbitrarily long. Control characters would
    // end the header field.
    static func trimmed(_ version: String) -> String {
        let printable = version.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let kept = String(String.UnicodeScalarView(printable.prefix(longestClientVersion)))
        return kept.isEmpty ? "unknown" : kept
    }

    /// Finds what would make every request fail.
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
