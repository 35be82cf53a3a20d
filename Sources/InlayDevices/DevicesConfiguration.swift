public import InlayCore

/// The settings of Devices, fixed before it starts.
public struct DevicesConfiguration: Sendable {
    /// The server, environment, API key and folder, as for any session.
    public var session: SessionConfiguration
    /// The application's id, from the Workbench.
    public var applicationID: String
    /// One of the application's active secrets, from the Workbench. It only identifies the app: everyone who has the
    /// app can read it.
    public var applicationSecret: String
    /// The store of the log-in; `nil`, the default, keeps it in a file of the session's folder. On Apple
    /// platforms prefer a `KeychainVault`.
    public var vault: (any AccountVault)?

    /// A configuration for one application.
    public init(session: SessionConfiguration, applicationID: String, applicationSecret: String) {
        self.session = session
        self.applicationID = applicationID
        self.applicationSecret = applicationSecret
    }

    /// Whether the id and the secret are present and valid in a header field. Only the server can verify them.
    package var isComplete: Bool {
        [applicationID, applicationSecret].allSatisfy { value in
            !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
    }
}
