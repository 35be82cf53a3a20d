/// What a server knows an application by: it is exchanged for access tokens.
///
/// It belongs on a server and not into an app, where anybody can read it. Its text form tells nothing.
public struct OAuthCredentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The application's public id.
    public var clientID: String
    /// The application's secret.
    public var clientSecret: String
    /// What new access tokens are asked for with.
    public var refreshToken: String

    /// Credentials as the server's owner gave them.
    public init(clientID: String, clientSecret: String, refreshToken: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.refreshToken = refreshToken
    }

    public var description: String { "OAuthCredentials" }

    // A log of whatever holds this value must not show what is in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
