/// Where the advertiser id in metrics of reading comes from.
public enum HubAdvertiser: Sendable {
    /// There is none.
    case none
    /// The system's, unless the person has limited ad tracking: then none at all.
    case system(any HubAdvertisingIdentifier)
    /// Whatever the app says, in place of the system's; `nil` is none.
    case app(@Sendable () -> String?)

    /// The id to send now.
    var current: String? {
        switch self {
        case .none: nil
        case .system(let system): system.isTrackingLimited ? nil : system.identifier
        case .app(let id): id()
        }
    }
}

/// The system's advertising identifier, with the person's word on its use.
public protocol HubAdvertisingIdentifier: Sendable {
    /// Whether the person has limited ad tracking.
    var isTrackingLimited: Bool { get }
    /// The identifier; not asked for while tracking is limited.
    var identifier: String? { get }
}
