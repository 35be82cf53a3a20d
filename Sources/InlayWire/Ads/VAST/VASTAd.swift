/// One ad of a VAST document.
@_spi(Inlay) public struct VASTAd: Hashable, Sendable {
    /// Whether the ad is here or somewhere else.
    public enum Content: Hashable, Sendable {
        /// It is all here.
        case inline
        /// It is behind an address; what is here goes with it.
        case wrapper(VASTWrapper)
    }

    /// The ad server's id.
    public var id: String?
    /// The place in a pod, from 1; `nil` when it stands alone.
    public var sequence: Int?
    /// Whether it is here.
    public var content: Content
    /// The ad server.
    public var system: String
    /// The name for people; empty in wrappers.
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
    /// Code that measures viewability. It is parsed for callers that have a measurer; none runs here.
    public var verifications: [VASTVerification] = []
    /// Its parts.
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
    /// Whether all ads of the next document count, or only the first.
    public var allowsPods: Bool
    /// Whether the next ad of this document may take its place when there is none behind it.
    public var fallsBack: Bool
    /// Categories that ads behind it may not have.
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
    /// Its code.
    public var code: String

    /// A category of a list.
    public init(authority: String, code: String) {
        self.authority = authority
        self.code = code
    }
}

/// The addresses to request about an ad's viewability.
@_spi(Inlay) public struct VASTViewability: Hashable, Sendable {
    /// It could be seen.
    public var viewable: [String] = []
    /// It could not.
    public var notViewable: [String] = []
    /// It could not be determined.
    public var undetermined: [String] = []

    /// With nothing to call.
    public init() {}

    /// With what another one calls added.
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

    /// A link.
    public init(_ address: String, id: String? = nil) {
        self.address = address
        self.id = id
    }
}
