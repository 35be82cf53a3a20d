/// The publisher's permissions and recalls: the target `policy.json`.
///
/// It is signed like the content and only ever moves forward: a device keeps the highest ``version`` it
/// has seen, also when the rest of the update failed, and refuses a lower one.
@_spi(Inlay) public struct HubPolicy: Codable, Hashable, Sendable {
    /// The target that holds the policy.
    public static let target = "policy.json"

    /// Grows with every change of the policy.
    public var version: Int64
    /// Whether the source is disabled: nothing is shown until a newer policy, and nothing is fetched before the
    /// next session.
    public var isDisabled: Bool
    /// The reason, in words for the reader.
    public var disabledReason: String?
    /// Articles that may not be shown any more, also by devices that hold them.
    public var recalledArticles: [String]
    /// The rule for content that is too old to be trusted.
    public var staleness: HubStaleness
    /// Addresses outside the content that pages may load: https, compared as written.
    public var allowedURLs: [String]
    /// Hosts outside the content that pages may load from: exact host names, https only.
    public var allowedDomains: [String]

    /// A policy. The defaults allow everything of the source and nothing outside it.
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
        // The fields that take something away must be readable; otherwise the whole policy is refused.
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
    /// The treatment of content that is too old.
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// Show it, and say nothing to the reader.
        case show
        /// Show it with a line that says how old it is.
        case warn
        /// Do not show it until it is renewed.
        case block
    }

    /// The treatment once ``afterSeconds`` have passed since the expiry.
    public var action: Action
    /// Seconds after the timestamp's expiry before ``action`` holds.
    public var afterSeconds: Int64

    /// A rule; by default old content is shown with a line about its age, from one day on.
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
