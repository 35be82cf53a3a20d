/// The reason why the SDK did not start.
public enum EngageConfigException: Error, Hashable, Sendable {
    /// An entry of Info.plist is missing or empty: ENGAGE_CLIENT_ID, ENGAGE_CLIENT_SECRET_META,
    /// ENGAGE_REFRESH_TOKEN or ENGAGE_HOST.
    case missingEntry(String)
    /// The text is no valid host; a host looks like `api1.example.com`.
    case unusableHost(String)
    /// Another error, with its description.
    case failed(String)
    /// The SDK was not started.
    case notStarted

    init(_ error: any Error) {
        self = error as? EngageConfigException ?? .failed(String(describing: error))
    }
}
