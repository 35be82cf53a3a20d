internal import InlayHub

/// The mode in which content is fetched.
public enum ZBiMSyncMode: Int, Sendable, CaseIterable {
    case nonBlocking, blocking
}

/// The look of the hub's chrome, progress and errors.
public enum ZBiMColorScheme: Int, Sendable, CaseIterable {
    case dark, light
}

/// The sources that pages may load from.
public enum ZBiMContentSource: Int, Sendable, CaseIterable {
    case localOnly, externalAllowed
}

/// The SDK fetches content in the background, and shows the stored content.
public let ZBiMSyncModeNonBlocking = ZBiMSyncMode.nonBlocking
/// Every presentation checks for newer content first.
public let ZBiMSyncModeBlocking = ZBiMSyncMode.blocking
/// Dark chrome.
public let ZBiMColorSchemeDark = ZBiMColorScheme.dark
/// Light chrome.
public let ZBiMColorSchemeLight = ZBiMColorScheme.light
/// Pages may load only the verified content and whitelisted addresses.
public let ZBiMContentSourceLocalOnly = ZBiMContentSource.localOnly
/// Pages may load any address.
public let ZBiMContentSourceExternalAllowed = ZBiMContentSource.externalAllowed

extension HubSettings.SyncMode {
    init(_ mode: ZBiMSyncMode) { self = mode == .blocking ? .blocking : .nonBlocking }
}

extension HubSettings.ColorScheme {
    init(_ scheme: ZBiMColorScheme) { self = scheme == .light ? .light : .dark }
}

extension HubSettings.ContentSource {
    init(_ source: ZBiMContentSource) { self = source == .localOnly ? .localOnly : .externalAllowed }
}
