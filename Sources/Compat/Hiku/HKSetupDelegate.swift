/// A receiver of a set-up's events, on the main thread. Each method gets the object that it comes from; all
/// methods are optional.
@MainActor public protocol HKSetupDelegate: AnyObject {
    /// Whether the server let the user in.
    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK)
    /// Whether a device was added; `false` for wrong Wi-Fi details or a lost connection.
    func deviceSetupStatus(_ success: Bool, sdk: HKSetupSDK)
    /// The user left the set-up before a device was added.
    func userCancelledSetup(_ sdk: HKSetupSDK)
    /// Whether the application may act for the user; after `true` the sdk has a token.
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK)
    /// The user read the tips to their end.
    func userCompletedTutorial(_ sdk: HKSetupSDK)
    /// The user was logged out.
    func userLoggedOut(_ sdk: HKSetupSDK)
}

extension HKSetupDelegate {
    public func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK) {}
    public func deviceSetupStatus(_ success: Bool, sdk: HKSetupSDK) {}
    public func userCancelledSetup(_ sdk: HKSetupSDK) {}
    public func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK) {}
    public func userCompletedTutorial(_ sdk: HKSetupSDK) {}
    public func userLoggedOut(_ sdk: HKSetupSDK) {}
}
