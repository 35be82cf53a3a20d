/// The code of a vendor that measures the viewability of an ad.
@_spi(Inlay) public struct VASTVerification: Hashable, Sendable {
    /// The form of the code.
    public enum Kind: Hashable, Sendable {
        /// A script; `isBrowserOptional` is whether it also runs without a browser.
        case script(isBrowserOptional: Bool)
        /// A program of this type.
        case executable(type: String)
    }

    /// One form of the code.
    public struct Resource: Hashable, Sendable {
        /// The address.
        public var address: String
        /// The form.
        public var kind: Kind
        /// The framework that runs it, for example `omid`.
        public var apiFramework: String?

        /// Creates a resource.
        public init(address: String, kind: Kind, apiFramework: String? = nil) {
            self.address = address
            self.kind = kind
            self.apiFramework = apiFramework
        }
    }

    /// The vendor, for example `company.com-omid`; empty when it is not stated.
    public var vendor: String
    /// The same code in several forms.
    public var resources: [Resource] = []
    /// The parameters that the verification code receives.
    public var parameters = ""
    /// The addresses to request when the code does not run, with the macro `[REASON]`.
    public var notExecuted: [String] = []

    /// Creates a verification.
    public init(vendor: String) { self.vendor = vendor }
}
