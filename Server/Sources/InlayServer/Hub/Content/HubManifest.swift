import InlayWire

/// The whole content of a source, as a folder or a content system hands it over.
package struct HubManifest: Codable, Hashable, Sendable {
    /// A hub, channel or article, and where it was written.
    package struct Item: Codable, Hashable, Sendable {
        package var kind: HubKind
        package var id: String
        package var draft: HubDraft

        /// An item by its kind and id.
        package init(_ kind: HubKind, _ id: String, _ draft: HubDraft) {
            self.kind = kind
            self.id = id
            self.draft = draft
        }
    }

    /// What the source allows, as far as the folder says so.
    package var settings: HubSettings?
    /// Hosts and addresses outside that pages may use; `nil` leaves the policy as it is.
    package var allowedURLs: [String]?
    package var allowedDomains: [String]?
    /// What devices announce.
    package var notifications: [HubNotification]
    package var items: [Item]
    /// Files by path; their bytes are uploaded by hash.
    package var assets: [String: HubBlob]
    /// A word about this version, for its history.
    package var note: String?

    /// A manifest with its parts.
    package init(
        settings: HubSettings? = nil, allowedURLs: [String]? = nil, allowedDomains: [String]? = nil,
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
}
