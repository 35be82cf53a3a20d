import InlayServerCore

/// The maximum sizes and counts of a content source. Saving or publishing more throws an error that names the field.
package enum HubLimits {
    /// Titles and names, in characters.
    static let title = 200
    /// Summaries, messages and descriptions of pictures, in characters.
    static let summary = 1_000
    /// Tags of one item, and the characters of each.
    static let tags = 50
    static let tag = 64
    /// The text of one item, in UTF-8 bytes. This limit bounds the time of the Markdown parser, which is quadratic for
    /// its worst inputs.
    package static let bodyBytes = 128 << 10
    /// Hubs, channels and articles of one source.
    package static let items = 5_000
    /// Files of one source.
    package static let assets = 5_000
    /// One picture, style sheet, script or font, in bytes.
    package static let fileBytes = 8 << 20
    /// One video, in bytes.
    package static let videoBytes = 256 << 20
    /// All files of one version, in bytes.
    package static let versionBytes = 2 << 30
    /// Announcements of one source.
    static let notifications = 64
    /// The addresses, the hosts and the recalled articles in a policy, each.
    static let policyEntries = 1_000
    /// Sources of one environment.
    static let sources = 50
    /// The time for which the files of a version can still be fetched after a newer version was published.
    static let keptFor: Duration = .seconds(86_400)
    /// The ids in the text of one item.
    static let pageIDs = 5_000
    /// The warnings of a version that are listed; further warnings are only counted.
    static let warnings = 500
    /// The body of a publish request: the texts of every item.
    package static let manifestBytes = 32 << 20
}
