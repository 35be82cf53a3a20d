/// The publisher's permissions and recalls: the target `policy.json`.
///
/// The policy is signed like the content, and its version only increases: a device keeps the highest ``version`` it has
/// seen, also when the rest of the update failed, and refuses a lower one.
@_spi(Inlay) public struct HubPolicy: Codable, Hashable, Sendable {
    /// The target path of the policy.
    public static let target = "policy.json"

    /// The version, which grows with every change of the policy.
    public var version: Int64
    /// Whether the source is disabled: nothing is shown until a newer policy, and nothing is fetched before the
    /// next session.
    public var isDisabled: Bool
    /// The reason, as a text for the reader.
    public var disabledReason: String?
    /// The ids of articles that may no longer be shown, also by devices that have stored them.
    public var recalledArticles: [String]
    /// The rule for content that is too old to be trusted.
    public var staleness: HubStaleness
    /// The addresses outside the content that pages may load: https, compared exactly.
    public var allowedURLs: [String]
    /// The hosts outside the content that pages may load from: exact host names, https only.
    public var allowedDomains: [String]

    /// Creates a policy. The defaults allow everything of the source and nothing outside it.
    public init(
        version: Int64, isDisabled: Bool = false, disabledReason: String? = nil,
        recalledArticles: [String] = [], staleness: HubStaleness = HubStaleness(),
        allowedURLs: [String] = [], allowedDomains: [String] = []
    ) {
        self.version = version
        self.isDisabled = isDisabled
        self.disabledReason = disabledReason
        self.recalledArticles = recalledArticles
        self.staleness = staleness
        self.allowedURLs = allowedURLs
        self.allowedDomains = allowedDomains
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(Int64.self, forKey: .version)
        // The fields that withdraw content must be readable; otherwise the whole policy is refused.
        isDisabled = try values.decodeIfPresent(Bool.self, forKey: .isDisabled) ?? false
        recalledArticles = try values.decodeIfPresent([String].self, forKey: .recalledArticles) ?? []
        disabledReason = try values.decodeIfPresent(String.self, forKey: .disabledReason)
        staleness = try values.decodeIfPresent(HubStaleness.self, forKey: .staleness) ?? HubStaleness()
        allowedURLs =
            try values.decodeIfPresent(LossyArray<String>.self, forKey: .allowedURLs)?.elements ?? []
        allowedDomains =
            try values.decodeIfPresent(LossyArray<String>.self, forKey: .allowedDomains)?.elements ?? []
    }
}

/// The rule for content whose timestamp has expired and that the device cannot renew.
@_spi(Inlay) public struct HubStaleness: Codable, Hashable, Sendable {
    /// The treatment of content that is too old to be trusted.
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// The content is shown without a notice.
        case show
        /// The content is shown with a line that says how old it is.
        case warn
        /// The content is not shown until it is renewed.
        case block
    }

    /// The treatment once ``afterSeconds`` have passed since the expiry.
    public var action: Action
    /// Seconds after the timestamp's expiry before ``action`` holds.
    public var afterSeconds: Int64

    /// Creates a rule; by default, content is shown with its age from one day after the expiry on.
    public init(action: Action = .warn, afterSeconds: Int64 = 86_400) {
        self.action = action
        self.afterSeconds = afterSeconds
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decodeIfPresent(String.self, forKey: .action)
        action = name.map { Action(rawValue: $0) ?? .warn } ?? .warn
        afterSeconds = max(0, try values.decodeIfPresent(Int64.self, forKey: .afterSeconds) ?? 86_400)
    }
}
