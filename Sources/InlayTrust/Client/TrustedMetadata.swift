import Foundation
public import InlayWire

/// The top-level metadata after an update: one consistent, verified set.
public struct TrustedMetadata: Sendable {
    /// Which keys speak for which role.
    public let root: Signed<RootRole>
    /// Which snapshot is the newest.
    public let timestamp: Signed<TimestampRole>
    /// Which versions belong together.
    public let snapshot: Signed<SnapshotRole>
    /// The files of the top-level role.
    public let targets: Signed<TargetsRole>

    /// The roles whose time is over at a moment: none right after an update, perhaps some when what is on
    /// the device is shown without one.
    public func expired(at moment: Timestamp) -> [TopLevelRole] {
        TopLevelRole.allCases.filter { expiry(of: $0) <= moment }
    }

    /// The moment from which on the set as a whole is not fresh any more.
    public var expires: Timestamp { TopLevelRole.allCases.map(expiry).min() ?? timestamp.content.expires }

    private func expiry(of role: TopLevelRole) -> Timestamp {
        switch role {
        case .root: root.content.expires
        case .timestamp: timestamp.content.expires
        case .snapshot: snapshot.content.expires
        case .targets: targets.content.expires
        }
    }
}
