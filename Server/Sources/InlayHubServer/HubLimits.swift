import InlayServerCore

/// The maximum sizes and counts of a content source. Saving or publishing more throws an error that names the field.
package enum HubLimits {
    /// Titles and names, in characters.
    static let maximumTitleCharacters = 200
    /// Summaries, messages and descriptions of pictures, in characters.
    static let maximumSummaryCharacters = 1_000
    /// Tags of one item, and the characters of each.
    static let maximumTags = 50
    static let maximumTagCharacters = 64
    /// The text of one item, in UTF-8 bytes. This limit bounds the time of the Markdown parser, which is quadratic for
    /// its worst inputs.
    package static let maximumBodyBytes = 128 << 10
    /// Hubs, channels and articles of one source.
    package static let maximumItems = 5_000
    /// Files of one source.
    package static let maximumAssets = 5_000
    /// One picture, style sheet, script or font, in bytes.
    package static let maximumFileBytes = 8 << 20
    /// One video, in bytes.
    package static let maximumVideoBytes = 256 << 20
    /// All files of one version, in bytes.
    package static let maximumVersionBytes = 2 << 30
    /// Announcements of one source.
    static let maximumNotifications = 64
    /// The addresses, the hosts and the recalled articles in a policy, each.
    static let maximumPolicyEntries = 1_000
    /// Sources of one environment.
    static let maximumSources = 50
    /// The time for which the files of a version can still be fetched after a newer version was published.
    static let supersededVersionLifetime: Duration = .seconds(86_400)
    /// The ids in the text of one item.
    static let maximumPageIDs = 5_000
    /// The warnings of a version that are listed; further warnings are only counted.
    static let maximumWarnings = 500
    /// The body of a publish request: the texts of every item.
    package static let maximumManifestBytes = 32 << 20
}
