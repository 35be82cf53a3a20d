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

    /// Whether the GDPR applies; on unless set. Where it does not, no user is asked.
    @discardableResult
    public func appendGDPR(_ value: Bool) -> ConsentBuilder {
        vendor.isGDPR = value
        return self
    }

    /// The app's technical name.
    @discardableResult
    public func appendBundle(_ value: String) -> ConsentBuilder {
        vendor.bundle = value
        return self
    }

    /// The app's name as people know it.
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
