import InlayServerCore
@_spi(Inlay) import InlayWire

extension HubSource {
    /// A source for compiling a manifest that is not stored.
    ///
    /// Only the server knows the settings that the manifest does not name, and it checks the manifest again. This
    /// source allows everything that those settings could allow.
    init(trial manifest: HubManifest, now: Timestamp) {
        var settings = manifest.settings(of: HubSettings())
        if manifest.settings?.appSchemes == nil { settings.appSchemes = Self.schemes(in: manifest) }
        let hosts = manifest.items.flatMap { item in
            item.draft.body.matches(of: /https:\/\/([^\/\s"'?#:()<>\[\]]+)/).map { String($0.output.1) }
        }
        self.init(
            environmentID: EnvironmentID(verified: "trial"), id: HubSourceID("trial"), name: "Trial",
            settings: settings,
            policy: HubPolicy(
                version: 1, allowedURLs: manifest.allowedURLs ?? [],
                allowedDomains: manifest.allowedDomains ?? hosts),
            notifications: manifest.notifications, version: 0, contentVersion: 0, timestampVersion: 0,
            rootVersion: 0, publishedAt: nil, createdAt: now, updatedAt: now)
    }

    /// Returns the app's own URL schemes: those in notifications, then those in links; at most 20.
    private static func schemes(in manifest: HubManifest) -> [String] {
        let actions = manifest.notifications.compactMap { $0.action?.prefix { $0 != ":" } }.map(String.init)
        let links = manifest.items.flatMap { item in
            item.draft.body.matches(of: /(?:href\s*=\s*["']?|\]\(\s*<?|<|\]:\s*)([a-z][a-z0-9+.-]{1,31}):/)
                .map { String($0.output.1) }
        }
        let schemes = [actions, links].flatMap { Set($0.filter(HubCheck.isAppScheme)).sorted() }
        var known: Set<String> = []
        return Array(schemes.filter { known.insert($0).inserted }.prefix(20))
    }
}

extension HubItem {
    init(trial item: HubManifest.Item, now: Timestamp) {
        self.init(
            kind: item.kind, id: item.id, draft: item.draft, revision: 1, released: item.draft,
            releasedRevision: 1, createdAt: now, updatedAt: now)
    }
}
