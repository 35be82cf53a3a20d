import Foundation
@_spi(Inlay) public import InlayWire

/// The top-level metadata after an update: one consistent, verified set.
@_spi(Inlay) public struct TrustedMetadata: Sendable {
    /// The keys of every top-level role.
    public let root: Signed<RootRole>
    /// The version of the newest snapshot.
    public let timestamp: Signed<TimestampRole>
    /// The versions of the metadata files that belong together.
    public let snapshot: Signed<SnapshotRole>
    /// The files of the top-level role.
    public let targets: Signed<TargetsRole>

    /// Returns the roles that are expired at a moment: none right after an update, perhaps some when the content on the
    /// device is shown without an update.
    public func expired(at moment: Timestamp) -> [TopLevelRole] {
        TopLevelRole.allCases.filter { expiry(of: $0) <= moment }
    }

    /// The time at which the first of the roles expires.
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
