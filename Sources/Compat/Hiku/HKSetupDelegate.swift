/// A receiver of a set-up's events, on the main thread. Each method gets the object that calls it; all methods are
/// optional.
@MainActor public protocol HKSetupDelegate: AnyObject {
    /// A log-in or the creation of an account has ended: with `true`, the user is logged in.
    func userAuthenticationStatus(_ success: Bool, sdk: HKSetupSDK)
    /// An attempt to add a device has ended: `false` means wrong Wi-Fi details or a lost connection.
    func deviceSetupStatus(_ success: Bool, sdk: HKSetupSDK)
    /// The user closed the set-up before a device was added.
    func userCancelledSetup(_ sdk: HKSetupSDK)
    /// The authorization of the application has ended: with `true`, the application may act for the user, and `sdk` has
    /// a token.
    func applicationAuthorizationStatus(_ success: Bool, sdk: HKSetupSDK)
    /// The user reached the end of the tips.
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
