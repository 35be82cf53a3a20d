@testable import InlayBehaviorsServer
@testable import InlayDevicesServer
@testable import InlayServerCore

extension CallerLimit {
    /// Every limit that no setting changes, in the order of the guide.
    static let all =
        [operatorSignInFailures] + allOfDevices + [oauthFailuresPerClient, oauthFailures]
}
