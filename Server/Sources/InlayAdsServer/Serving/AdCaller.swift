import InlayServerCore

/// The caller of an ad request, as known from the HTTP request.
struct AdCaller: Sendable {
    /// The address of the device.
    let address: CallerAddress
    /// The base URL of this server, with which trackers begin.
    let base: String
    /// Whether the request came by `v1/ads/request`, whose response has `ext`.
    let acceptsExtension: Bool
    /// The user of the app's own token and the token's environment; `nil` without a valid token.
    var user: ClientIdentity?
    /// The `User-Agent` of the call, which need not be the device's.
    var agent = ""

    /// Returns the user's id if the token belongs to the unit's environment.
    func userID(in environmentID: EnvironmentID) -> UserID? {
        user.flatMap { $0.environmentID == environmentID ? $0.userID : nil }
    }
}
