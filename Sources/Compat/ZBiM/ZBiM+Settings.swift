public import Foundation
internal import InlayHub

extension ZBiM {
    /// The supplier of status views. Kept strongly until another takes its place.
    @MainActor static var statusUI: (any ZBiMContentHubStatusUIDelegate)? = nil

    /// The look of the next hub; dark by default.
    public static func colorScheme() -> ZBiMColorScheme {
        host.read(\.settings.colorScheme) == .light ? .light : .dark
    }

    /// Sets the look of the next hub.
    public static func setColorScheme(_ colorScheme: ZBiMColorScheme) {
        host.set { $0.colorScheme = .init(colorScheme) }
    }

    /// Whether a modal hub shows the logo.
    public static func showZBILogo() -> Bool { host.read(\.settings.showsLogo) }

    /// Sets whether the next modal hub shows the logo.
    public static func setShowZBILogo(_ show: Bool) { host.set { $0.showsLogo = show } }

    /// The mode in which content is fetched; non-blocking by default.
    public static func syncMode() -> ZBiMSyncMode {
        host.read(\.settings.syncMode) == .blocking ? .blocking : .nonBlocking
    }

    /// Sets when content is fetched.
    public static func setSyncMode(_ syncMode: ZBiMSyncMode) { host.set { $0.syncMode = .init(syncMode) } }

    /// Sets the supplier of the hub's status views; `nil` restores the built-in ones.
    @MainActor public static func setStatusUIDelegate(_ delegate: (any ZBiMContentHubStatusUIDelegate)?) {
        statusUI = delegate
    }

    // MARK: Security

    /// The sources that pages may load from; external resources are allowed by default.
    public static func contentSource() -> ZBiMContentSource {
        host.read(\.settings.contentSource) == .localOnly ? .localOnly : .externalAllowed
    }

    /// Sets what pages may reach.
    public static func setContentSource(_ contentSource: ZBiMContentSource) {
        host.set { $0.contentSource = .init(contentSource) }
    }

    /// Lets pages reach one address, verbatim with parameters and anchor, although content is local only.
    public static func whitelistURL(_ url: URL) {
        warnOfPlainHTTP(url.absoluteString)
        host.set { $0.allowed.allowVerbatim(url: url.absoluteString) }
    }

    /// Lets pages reach every address of one host, although content is local only.
    public static func whitelistDomainName(_ domainName: String) {
        warnOfPlainHTTP("http://" + domainName)
        host.set { $0.allowed.allowVerbatim(domain: domainName) }
    }

    /// Hands links of a scheme to the app, like those of Info.plist.
    public static func registerCustomURLScheme(_ customURLScheme: String) {
        host.set { try? $0.allowed.allow(scheme: customURLScheme) }
    }

    private static func warnOfPlainHTTP(_ address: String) {
        guard address.lowercased().hasPrefix("http:") else { return }
        host.read(\.log).write(
            .warning, .debug,
            "\(address) is reachable over plain http, where anybody on the way can change it.")
    }

    // MARK: Logging and metrics

    /// Sets who receives what is logged; `nil` logs nowhere.
    public static func setLoggingDelegate(_ loggingDelegate: (any ZBiMLoggingDelegate)?) {
        guard let loggingDelegate else { return host.read(\.log).setSink(nil) }
        host.read(\.log).setSink { line in
            loggingDelegate.log(
                line.text, severityLevel: ZBiMSeverityLevel(rawValue: line.severity.rawValue) ?? .none,
                verbosityLevel: ZBiMVerbosityLevel(rawValue: line.verbosity.rawValue) ?? .none)
        }
    }

    /// The severity that passes; errors by default.
    public static func severityLevel() -> ZBiMSeverityLevel {
        ZBiMSeverityLevel(rawValue: host.read(\.log).severity.rawValue) ?? .none
    }

    /// Sets the severity that passes.
    public static func setSeverityLevel(_ severityLevel: ZBiMSeverityLevel) {
        host.read(\.log).severity = .init(severityLevel)
    }

    /// The verbosity that passes; debug by default.
    public static func verbosityLevel() -> ZBiMVerbosityLevel {
        ZBiMVerbosityLevel(rawValue: host.read(\.log).verbosity.rawValue) ?? .none
    }

    /// Sets the verbosity that passes.
    public static func setVerbosityLevel(_ verbosityLevel: ZBiMVerbosityLevel) {
        host.read(\.log).verbosity = .init(verbosityLevel)
    }

    /// Sets who supplies the advertiser id, in place of the system's; `nil` brings the system's back.
    public static func setAdvertiserIdDelegate(_ advertiserIdDelegate: (any ZBiMAdvertiserIdDelegate)?) {
        let system = host.read(\.services.advertising)
        host.set { settings in
            if let advertiserIdDelegate {
                settings.advertiser = .app { advertiserIdDelegate.advertiserId() }
            } else {
                settings.advertiser = system.map { .system($0) } ?? .none
            }
        }
    }
}
