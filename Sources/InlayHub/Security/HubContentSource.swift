/// What a page of the hub may reach.
///
/// Hub, channel and article pages themselves always come from the verified content; this is about what
/// they load and where their scripts call.
public enum HubContentSource: Int, Hashable, Sendable, CaseIterable {
    /// Nothing but the verified content and what the lists allow.
    case localOnly
    /// Anything that the web allows.
    case externalAllowed
}
