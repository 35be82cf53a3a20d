/// A builder of the vendor that the consent window names.
@MainActor public final class ConsentBuilder {
    var vendor: ConsentVendor

    init(_ vendor: ConsentVendor) { self.vendor = vendor }

    /// Sets the address of the privacy policy.
    @discardableResult
    public func appendPolicyURL(_ value: String) -> ConsentBuilder {
        vendor.policyURL = value
        return self
    }

    /// Sets whether the GDPR applies; it does by default. Where the GDPR does not apply, no user is asked.
    @discardableResult
    public func appendGDPR(_ value: Bool) -> ConsentBuilder {
        vendor.isGDPR = value
        return self
    }

    /// Sets the app's bundle identifier.
    @discardableResult
    public func appendBundle(_ value: String) -> ConsentBuilder {
        vendor.bundle = value
        return self
    }

    /// Sets the app's name that the window shows.
    @discardableResult
    public func appendName(_ value: String) -> ConsentBuilder {
        vendor.name = value
        return self
    }
}

/// The vendor that the consent window names.
package struct ConsentVendor: Hashable, Sendable {
    package var policyURL: String?
    package var isGDPR = true
    package var bundle: String?
    package var name: String?

    /// The text of the question.
    package var question: String {
        let who = name ?? bundle ?? "This app"
        let policy = policyURL.map { " How they are used: \($0)" } ?? ""
        return "May \(who) show you ads that fit you, with the help of your device's advertising id?\(policy)"
    }
}
