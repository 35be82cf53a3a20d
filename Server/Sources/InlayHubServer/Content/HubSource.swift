package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A content source: hubs, channels, articles and files that are signed and published together.
package struct HubSource: Hashable, Sendable, Identifiable {
    package let environmentID: EnvironmentID
    /// The id, unique within the environment and part of the URLs.
    package let id: HubSourceID
    /// The name that the Workbench shows.
    package let name: String
    package let settings: HubSettings
    /// The permissions and recalls, as published last or, after a change, to be published next.
    package let policy: HubPolicy
    /// The notifications that devices show, from the next publish on.
    package let notifications: [HubNotification]
    /// The signed version that devices get; 0 before the first publish.
    package let version: Int64
    /// The version in which the content changed last; the policy may be newer.
    package let contentVersion: Int64
    /// The version of `timestamp.json`, which the socket sends.
    package let timestampVersion: Int64
    /// The version of the root metadata; 0 before there are keys.
    package let rootVersion: Int64
    package let publishedAt: Timestamp?
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
}

extension HubSource {
    /// A source without content or keys, named by its id. It is not stored.
    init(new id: HubSourceID, in environmentID: EnvironmentID, at moment: Timestamp) {
        self.init(
            environmentID: environmentID, id: id, name: id.rawValue, settings: HubSettings(),
            policy: HubPolicy(version: 1), notifications: [], version: 0, contentVersion: 0,
            timestampVersion: 0, rootVersion: 0, publishedAt: nil, createdAt: moment, updatedAt: moment)
    }
}

/// The permissions of a source and the lifetimes of its signatures.
package struct HubSettings: Codable, Hashable, Sendable {
    /// Whether articles may ask for scripts.
    package var allowsScripts: Bool
    /// Schemes of the app's own that links may use, for example `harbor`.
    package var appSchemes: [String]
    /// The language tag of the texts, for browsers and screen readers.
    package var language: String
    /// Whether quotes, dashes and dots in Markdown are replaced by the typographic ones of English.
    package var usesTypographicPunctuation: Bool
    /// The hours for which a timestamp is valid; it is renewed after half of them.
    package var timestampHours: Int
    /// The days for which snapshot and targets are valid.
    package var contentDays: Int
    /// The days for which a root is valid.
    package var rootDays: Int

    /// Creates settings. The defaults are: no scripts, texts as they are written, a timestamp for a day, content for
    /// 90 days, a root for two years.
    package init(
        allowsScripts: Bool = false, appSchemes: [String] = [], language: String = "en",
        usesTypographicPunctuation: Bool = false, timestampHours: Int = 24, contentDays: Int = 90,
        rootDays: Int = 730
    ) {
        self.allowsScripts = allowsScripts
        self.appSchemes = appSchemes
        self.language = language
        self.usesTypographicPunctuation = usesTypographicPunctuation
        self.timestampHours = timestampHours
        self.contentDays = contentDays
        self.rootDays = rootDays
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        allowsScripts = try values.decodeIfPresent(Bool.self, forKey: .allowsScripts) ?? allowsScripts
        appSchemes = try values.decodeIfPresent([String].self, forKey: .appSchemes) ?? appSchemes
        language = try values.decodeIfPresent(String.self, forKey: .language) ?? language
        usesTypographicPunctuation =
            try values.decodeIfPresent(Bool.self, forKey: .usesTypographicPunctuation)
            ?? usesTypographicPunctuation
        timestampHours = try values.decodeIfPresent(Int.self, forKey: .timestampHours) ?? timestampHours
        contentDays = try values.decodeIfPresent(Int.self, forKey: .contentDays) ?? contentDays
        rootDays = try values.decodeIfPresent(Int.self, forKey: .rootDays) ?? rootDays
    }
}

/// The id of a ``HubSource``, unique within an environment and part of URLs.
package struct HubSourceID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}
