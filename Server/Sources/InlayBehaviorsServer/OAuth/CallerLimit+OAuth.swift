import InlayServerCore

extension CallerLimit {
    /// Wrong credentials of one OAuth client.
    static let oauthFailuresPerClient = Self("wrong OAuth credentials of one client", 10)
    /// Wrong OAuth credentials, whatever the client.
    static let oauthFailures = Self("wrong OAuth credentials", 100)
}
