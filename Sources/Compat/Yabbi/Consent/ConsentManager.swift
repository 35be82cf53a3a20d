public import Foundation
public import InlayPlatform

/// A receiver of the events of the consent window.
@MainActor public protocol ConsentDelegate: AnyObject {
    /// The window is ready to be shown.
    func onConsentManagerLoaded()
    /// The window cannot be shown.
    func onConsentManagerLoadFailed(_ error: String)
    /// The window is on screen.
    func onConsentWindowShown()
    /// The window could not be shown.
    func onConsentManagerShownFailed(_ error: String)
    /// The user has answered, now or before, or need not be asked.
    func onConsentWindowClosed(_ hasConsent: Bool)
}

extension ConsentDelegate {
    public func onConsentManagerLoaded() {}
    public func onConsentManagerLoadFailed(_ error: String) {}
    public func onConsentWindowShown() {}
    public func onConsentManagerShownFailed(_ error: String) {}
    public func onConsentWindowClosed(_ hasConsent: Bool) {}
}

/// The consent window, which asks the user once for consent to personalized ads, and stores the answer.
///
/// The answer is a yes or a no. Apps that need the consent strings of a framework such as TCF use a consent management
/// platform; the modern API reads the strings that such a platform stores in the user defaults.
@MainActor public enum ConsentManager {
    private static var storage = UserDefaults.standard
    private static var vendor = ConsentVendor()
    private static weak var delegate: (any ConsentDelegate)?
    private static var isLoaded = false
    private static var isLogging = false

    /// Sets the receiver of the window's events; not retained.
    public static func setDelegate(_ delegate: (any ConsentDelegate)?) { self.delegate = delegate }

    /// Sets the storage of the answer; the standard user defaults by default.
    public static func setCustomStorage(_ storage: UserDefaults) { self.storage = storage }

    /// Changes the vendor that the window names; values that the closure does not set remain.
    public static func registerCustomVendor(_ change: (ConsentBuilder) -> Void) {
        let builder = ConsentBuilder(vendor)
        change(builder)
        vendor = builder.vendor
    }

    /// Prepares the window. Fails unless a vendor with a name or a bundle is registered.
    public static func loadManager() {
        guard vendor.name != nil || vendor.bundle != nil else {
            return fail("Register a vendor with a name or a bundle first.")
        }
        isLoaded = true
        delegate?.onConsentManagerLoaded()
    }

    /// Asks the user, unless they have answered before or the GDPR does not apply.
    public static func showConsentWindow(_ controller: UIViewController) {
        guard isLoaded else {
            delegate?.onConsentManagerShownFailed("Call loadManager and wait for it.")
            return
        }
        if wasAsked || !vendor.isGDPR {
            // A user without an answer counts as agreeing while the GDPR does not apply. This is not stored, so that
            // the user is asked when it applies later.
            delegate?.onConsentWindowClosed(wasAsked ? hasConsent : true)
            return
        }
        let (vendor, ask) = (vendor, YabbiRuntime.shared.services.ask)
        delegate?.onConsentWindowShown()
        // Ends with the user's answer.
        Task {
            guard let answer = await ask(vendor, controller) else {
                delegate?.onConsentManagerShownFailed("It cannot be shown, or was closed without an answer.")
                return
            }
            answered(answer)
        }
    }

    /// Whether the user agreed; `false` before they were asked.
    public static var hasConsent: Bool { storage.bool(forKey: "hasConsent") }

    /// Whether the user was asked.
    static var wasAsked: Bool { storage.bool(forKey: "consentAlreadyAsked") }

    /// Kept for compatibility; the session's debug log reports what happens.
    public static func enableLog(_ isOn: Bool) { isLogging = isOn }

    private static func answered(_ isGiven: Bool) {
        storage.set(true, forKey: "consentAlreadyAsked")
        storage.set(isGiven, forKey: "hasConsent")
        delegate?.onConsentWindowClosed(isGiven)
    }

    private static func fail(_ message: String) { delegate?.onConsentManagerLoadFailed(message) }

    /// Resets everything except the storage, so that a test begins like a new process.
    static func restart() {
        (storage, vendor, delegate, isLoaded) = (.standard, ConsentVendor(), nil, false)
    }
}
