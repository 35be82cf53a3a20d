import InlayServerCore

/// The sender of an ad request, as far as the request itself says.
struct AdCaller: Sendable {
    /// The address of the device.
    let address: CallerAddress
    /// The base URL of this server, with which trackers begin.
    let base: String
    /// The modern route: the answer has `ext`.
    let isModern: Bool
    /// The user of the app's own token, when one came and was good, and its environment.
    var user: ClientIdentity?
    /// The `User-Agent` of the call, which need not be the device's.
    var agent = ""

    /// The user where the token belongs to the unit's environment.
    func userID(in environmentID: EnvironmentID) -> UserID? {
        user.flatMap { $0.environmentID == environmentID ? $0.userID : nil }
    }
}
