@_spi(Inlay) package import InlayWire

/// The whole content of a source, as it is published from a folder or a content management system.
package struct HubManifest: Codable, Hashable, Sendable {
    /// A hub, channel or article with its content.
    package struct Item: Codable, Hashable, Sendable {
        package var kind: HubKind
        package var id: String
        package var draft: HubDraft

        package init(_ kind: HubKind, _ id: String, _ draft: HubDraft) {
            self.kind = kind
            self.id = id
            self.draft = draft
        }
    }

    /// The settings to change; the source keeps all others.
    package var settings: HubSettingsChange?
    /// The external URLs that pages may use; `nil` leaves the policy as it is.
    package var allowedURLs: [String]?
    /// The external hosts that pages may use; `nil` leaves the policy as it is.
    package var allowedDomains: [String]?
    /// The notifications that devices show.
    package var notifications: [HubNotification]
    package var items: [Item]
    /// Files by path; their bytes are uploaded by hash.
    package var assets: [String: HubBlob]
    /// A note on this version for its history.
    package var note: String?

    package init(
        settings: HubSettingsChange? = nil, allowedURLs: [String]? = nil, allowedDomains: [String]? = nil,
        notifications: [HubNotification] = [], items: [Item] = [], assets: [String: HubBlob] = [:],
        note: String? = nil
    ) {
        self.settings = settings
        self.allowedURLs = allowedURLs
        self.allowedDomains = allowedDomains
        self.notifications = notifications
        self.items = items
        self.assets = assets
        self.note = note
    }

    /// Returns a source's settings after the manifest's changes.
    func settings(of source: HubSettings) -> HubSettings { settings?.applied(to: source) ?? source }
}

/// New values of some settings of a source; `nil` leaves a setting as it is.
package struct HubSettingsChange: Codable, Hashable, Sendable {
    package var allowsScripts: Bool?
    package var appSchemes: [String]?
    package var language: String?
    package var usesTypographicPunctuation: Bool?
    package var timestampHours: Int?
    package var contentDays: Int?
    package var rootDays: Int?

    /// Creates a change that leaves all settings as they are.
    package init() {}

    func applied(to settings: HubSettings) -> HubSettings {
        HubSettings(
            allowsScripts: allowsScripts ?? settings.allowsScripts,
            appSchemes: appSchemes ?? settings.appSchemes, language: language ?? settings.language,
            usesTypographicPunctuation: usesTypographicPunctuation ?? settings.usesTypographicPunctuation,
            timestampHours: timestampHours ?? settings.timestampHours,
            contentDays: contentDays ?? settings.contentDays, rootDays: rootDays ?? settings.rootDays)
    }
}
