/// One ad of a VAST document.
@_spi(Inlay) public struct VASTAd: Hashable, Sendable {
    /// The kind of an ad: in-line or wrapper.
    public enum Content: Hashable, Sendable {
        /// The document contains the whole ad.
        case inline
        /// Another document contains the ad; this one adds trackers and other parts to it.
        case wrapper(VASTWrapper)
    }

    /// The ad server's id.
    public var id: String?
    /// The position in a pod, from 1; `nil` when the ad stands alone.
    public var sequence: Int?
    /// The kind of the ad.
    public var content: Content
    /// The ad server.
    public var system: String
    /// The title of the ad; empty in wrappers.
    public var title: String
    /// The name of the advertiser.
    public var advertiser: String
    /// The categories of the ad, each with the authority that defines it.
    public var categories: [VASTCategory]
    /// The addresses to request at the impression, all at the same moment.
    public var impressions: [VASTLink]
    /// The addresses to request when the ad cannot be shown, with the macro `[ERRORCODE]`.
    public var errors: [String]
    /// The addresses to request once viewability is known.
    public var viewability: VASTViewability
    /// Scripts that measure viewability. They are parsed for callers that can run them; Inlay runs none.
    public var verifications: [VASTVerification] = []
    /// The creatives of the ad.
    public var creatives: [VASTCreative]

    /// An ad with an id and nothing else.
    public init(id: String? = nil, sequence: Int? = nil, content: Content = .inline) {
        self.id = id
        self.sequence = sequence
        self.content = content
        system = ""
        title = ""
        advertiser = ""
        categories = []
        impressions = []
        errors = []
        viewability = VASTViewability()
        creatives = []
    }

    /// The first video; `nil` when the ad has none.
    public var linear: VASTLinear? {
        for creative in creatives {
            if case .linear(let linear) = creative.content { return linear }
        }
        return nil
    }

    /// All companions, in order.
    public var companions: [VASTCompanion] {
        creatives.flatMap { creative -> [VASTCompanion] in
            if case .companions(let companions) = creative.content { companions.all } else { [] }
        }
    }

    /// The wrapper; `nil` for an ad that is all here.
    public var wrapper: VASTWrapper? {
        if case .wrapper(let wrapper) = content { wrapper } else { nil }
    }
}

/// The address of the ad behind a wrapper, and the rules for following it.
@_spi(Inlay) public struct VASTWrapper: Hashable, Sendable {
    /// The address of the next document.
    public var address: String
    /// Whether the next document may be a wrapper again.
    public var followsWrappers: Bool
    /// Whether all ads of the next document may be used; otherwise only the first.
    public var allowsPods: Bool
    /// Whether the next ad of this document may be used when the wrapper leads to no ad.
    public var fallsBack: Bool
    /// The categories that ads behind the wrapper may not have.
    public var blockedCategories: [VASTCategory]

    /// A wrapper around an address, with the specification's defaults.
    public init(
        address: String, followsWrappers: Bool = true, allowsPods: Bool = false, fallsBack: Bool = false,
        blockedCategories: [VASTCategory] = []
    ) {
        self.address = address
        self.followsWrappers = followsWrappers
        self.allowsPods = allowsPods
        self.fallsBack = fallsBack
        self.blockedCategories = blockedCategories
    }
}

/// A category of ads.
@_spi(Inlay) public struct VASTCategory: Hashable, Sendable {
    /// The authority that defines the category, as an address; empty when none is stated.
    public var authority: String
    /// The category's code in the authority's list.
    public var code: String

    /// Creates a category.
    public init(authority: String, code: String) {
        self.authority = authority
        self.code = code
    }
}

/// The addresses to request about an ad's viewability.
@_spi(Inlay) public struct VASTViewability: Hashable, Sendable {
    /// The addresses for an ad that was viewable.
    public var viewable: [String] = []
    /// The addresses for an ad that was not viewable.
    public var notViewable: [String] = []
    /// The addresses for an ad whose viewability could not be determined.
    public var undetermined: [String] = []

    /// Creates lists without addresses.
    public init() {}

    /// Appends the addresses of another document.
    mutating func add(_ other: Self) {
        viewable += other.viewable
        notViewable += other.notViewable
        undetermined += other.undetermined
    }
}

/// An address with the ad server's id for it.
@_spi(Inlay) public struct VASTLink: Hashable, Sendable {
    /// The id, where one is stated.
    public var id: String?
    /// The address, with its macros.
    public var address: String

    /// Creates a link.
    public init(_ address: String, id: String? = nil) {
        self.address = address
        self.id = id
    }
}
