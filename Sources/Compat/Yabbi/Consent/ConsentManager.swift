public import Foundation
public import InlayPlatform

/// Hears of the consent window.
@MainActor public protocol ConsentDelegate: AnyObject {
    /// The window can be shown, if it has to be.
    func onConsentManagerLoaded()
    /// The window cannot be shown.
    func onConsentManagerLoadFailed(_ error: String)
    /// The window is on screen.
    func onConsentWindowShown()
    /// The window could not be shown.
    func onConsentManagerShownFailed(_ error: String)
    /// The user answered.
    func onConsentWindowClosed(_ hasConsent: Bool)
}

extension ConsentDelegate {
    public func onConsentManagerLoaded() {}
    public func onConsentManagerLoadFailed(_ error: String) {}
    public func onConsentWindowShown() {}
    public func onConsentManagerShownFailed(_ error: String) {}
    public func onConsentWindowClosed(_ hasConsent: Bool) {}
}

/// Asks the user, once, whether ads may know them; keeps the answer.
///
/// The answer is one yes or no. Apps that need the strings of a consent framework use a consent tool: the
/// modern API reads what it leaves in the user defaults.
@MainActor public enum ConsentManager {
    private static var storage = UserDefaults.standard
    private static var vendor = ConsentVendor()
    private static weak var delegate: (any ConsentDelegate)?
    private static var isLoaded = false
    private static var isLogging = false

    /// Sets who hears of the window; kept weakly.
    public static func setDelegate(_ delegate: (any ConsentDelegate)?) { self.delegate = delegate }

    /// Sets where the answer is kept; the standard user defaults unless set.
    public static func setCustomStorage(_ storage: UserDefaults) { self.storage = storage }

    /// Changes what the window says; what is not set keeps its value.
    public static func registerCustomVendor(_ change: (ConsentBuilder) -> Void) {
        let builder = ConsentBuilder(vendor)
        change(builder)
        vendor = builder.vendor
    }

    /// Gets the window ready.
    public static func loadManager() {
        guard vendor.name != nil || vendor.bundle != nil else {
            return fail("Register a vendor with a name or a bundle first.")
        }
        isLoaded = true
        delegate?.onConsentManagerLoaded()
    }

    /// Asks the user, unless they answered before.
    public static func showConsentWindow(_ controller: UIViewController) {
        guard isLoaded else {
            delegate?.onConsentManagerShownFailed("Call loadManager and wait for it.")
            return
        }
        guard vendor.isGDPR, !wasAsked else { return answered(vendor.isGDPR ? hasConsent : true) }
        let (vendor, ask) = (vendor, YabbiRuntime.shared.services.ask)
        delegate?.onConsentWindowShown()
        // Ends with the user's answer.
        Task {
            guard let answer = await ask(vendor, controller) else {
                delegate?.onConsentManagerShownFailed("There is nothing to show it on.")
                return
            }
            answered(answer)
        }
    }

    /// Whether the user agreed; false before they were asked.
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

    /// Forgets everything but what is stored, as a new process would; for tests.
    static func restart() {
        (storage, vendor, delegate, isLoaded) = (.standard, ConsentVendor(), nil, false)
    }
}
