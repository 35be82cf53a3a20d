/// The reason why the SDK did not start.
public enum EngageConfigException: Error, Hashable, Sendable {
    /// This entry of Info.plist is missing or empty: ENGAGE_CLIENT_ID, ENGAGE_CLIENT_SECRET_META,
    /// ENGAGE_REFRESH_TOKEN or ENGAGE_HOST.
    case missingEntry(String)
    /// This is no host; it is written like `api1.example.com`.
    case unusableHost(String)
    /// Something else; the text says what.
    case failed(String)
    /// Nothing started the SDK.
    case notStarted

    init(_ error: any Error) {
        self = error as? EngageConfigException ?? .failed(String(describing: error))
    }
}
