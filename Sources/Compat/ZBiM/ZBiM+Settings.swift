public import Foundation
internal import InlayHub

extension ZBiM {
    /// The supplier of status views, which is retained until it is replaced.
    @MainActor static var statusUI: (any ZBiMContentHubStatusUIDelegate)? = nil

    /// Returns the color scheme of the next hub; dark by default.
    public static func colorScheme() -> ZBiMColorScheme {
        runtime.read(\.settings.colorScheme) == .light ? .light : .dark
    }

    /// Sets the color scheme of the next hub.
    public static func setColorScheme(_ colorScheme: ZBiMColorScheme) {
        runtime.set { $0.colorScheme = .init(colorScheme) }
    }

    /// Whether a modal hub shows the logo.
    public static func showZBILogo() -> Bool { runtime.read(\.settings.showsLogo) }

    /// Sets whether the next modal hub shows the logo.
    public static func setShowZBILogo(_ show: Bool) { runtime.set { $0.showsLogo = show } }

    /// Returns the mode in which content is fetched; non-blocking by default.
    public static func syncMode() -> ZBiMSyncMode {
        runtime.read(\.settings.syncMode) == .blocking ? .blocking : .nonBlocking
    }

    /// Sets the mode in which content is fetched.
    public static func setSyncMode(_ syncMode: ZBiMSyncMode) { runtime.set { $0.syncMode = .init(syncMode) } }

    /// Sets the supplier of the hub's status views; `nil` restores the built-in ones.
    @MainActor public static func setStatusUIDelegate(_ delegate: (any ZBiMContentHubStatusUIDelegate)?) {
        statusUI = delegate
    }

    // MARK: Security

    /// Returns the sources that pages may load from; external resources are allowed by default.
    public static func contentSource() -> ZBiMContentSource {
        runtime.read(\.settings.contentSource) == .localOnly ? .localOnly : .externalAllowed
    }

    /// Sets the sources that pages may load from.
    public static func setContentSource(_ contentSource: ZBiMContentSource) {
        runtime.set { $0.contentSource = .init(contentSource) }
    }

    /// Lets pages load one exact address, including its query and fragment, when the content source is local only.
    public static func whitelistURL(_ url: URL) {
        warnOfPlainHTTP(url.absoluteString)
        runtime.set { $0.allowed.allowVerbatim(url: url.absoluteString) }
    }

    /// Lets pages load every address of one host when the content source is local only.
    public static func whitelistDomainName(_ domainName: String) {
        warnOfPlainHTTP("http://" + domainName)
        runtime.set { $0.allowed.allowVerbatim(domain: domainName) }
    }

    /// Passes links with a scheme to the app, as for the schemes in Info.plist. An invalid scheme is ignored.
    public static func registerCustomURLScheme(_ customURLScheme: String) {
        runtime.set { try? $0.allowed.allow(scheme: customURLScheme) }
    }

    private static func warnOfPlainHTTP(_ address: String) {
        guard address.lowercased().hasPrefix("http:") else { return }
        runtime.read(\.log).write(
            .warning, .debug,
            "\(address) is reachable over plain http, where anybody on the way can change it.")
    }

    // MARK: Logging and metrics

    /// Sets the receiver of log messages, which is retained; with `nil`, messages are discarded.
    public static func setLoggingDelegate(_ loggingDelegate: (any ZBiMLoggingDelegate)?) {
        guard let loggingDelegate else { return runtime.read(\.log).setSink(nil) }
        runtime.read(\.log).setSink { line in
            loggingDelegate.log(
                line.text, severityLevel: ZBiMSeverityLevel(rawValue: line.severity.rawValue) ?? .none,
                verbosityLevel: ZBiMVerbosityLevel(rawValue: line.verbosity.rawValue) ?? .none)
        }
    }

    /// Returns the severity level of the log; errors by default.
    public static func severityLevel() -> ZBiMSeverityLevel {
        ZBiMSeverityLevel(rawValue: runtime.read(\.log).severity.rawValue) ?? .none
    }

    /// Sets the severity level of the log.
    public static func setSeverityLevel(_ severityLevel: ZBiMSeverityLevel) {
        runtime.read(\.log).severity = .init(severityLevel)
    }

    /// Returns the verbosity level of the log; debug by default.
    public static func verbosityLevel() -> ZBiMVerbosityLevel {
        ZBiMVerbosityLevel(rawValue: runtime.read(\.log).verbosity.rawValue) ?? .none
    }

    /// Sets the verbosity level of the log.
    public static func setVerbosityLevel(_ verbosityLevel: ZBiMVerbosityLevel) {
        runtime.read(\.log).verbosity = .init(verbosityLevel)
    }

    /// Sets the supplier of the advertiser id, which is retained; `nil` restores the system's advertising identifier.
    public static func setAdvertiserIdDelegate(_ advertiserIdDelegate: (any ZBiMAdvertiserIdDelegate)?) {
        let system = runtime.read(\.services.advertising)
        runtime.set { settings in
            if let advertiserIdDelegate {
                settings.advertiser = .app { advertiserIdDelegate.advertiserId() }
            } else {
                settings.advertiser = system.map { .system($0) } ?? .none
            }
        }
    }
}
