@_spi(Inlay) public import InlayWire

/// The root of trust: which keys speak for which role.
@_spi(Inlay) public struct RootRole: TrustRole {
    public static let type = "root"

    public var header: RoleHeader

    /// Whether files are published under names with their version or hash, so that readers during a
    /// publish never see a mix.
    public var consistentSnapshot: Bool

    var keyList: KeyList
    var roles: [TopLevelRole: RoleKeys]
    /// Roles other than the four, which are kept.
    private var otherRoles: [TrustJSON.Member] = []
    private var unknown: [TrustJSON.Member] = []

    /// All keys the root lists.
    public var keys: [TrustKey] { keyList.keys }

    /// A root without keys; `setKeys` gives it some.
    public init(version: Int = 1, expires: Timestamp, consistentSnapshot: Bool = true) {
        header = RoleHeader(version: version, expires: expires)
        self.consistentSnapshot = consistentSnapshot
        keyList = KeyList()
        roles = [:]
    }

    public init(json: TrustJSON) throws(TrustError) {
        header = try RoleHeader(type: Self.type, json: json)
        consistentSnapshot = try json["consistent_snapshot"]?.flag("consistent_snapshot") ?? false
        keyList = try KeyList(json: json.required("keys"))
        roles = [:]
        let listed = try json.required("roles")
        for role in TopLevelRole.allCases {
            roles[role] = try RoleKeys(json: listed.required(role.rawValue))
        }
        otherRoles = listed.unknown(besides: TopLevelRole.allCases.map(\.rawValue))
        unknown = json.unknown(besides: RoleHeader.members + ["consistent_snapshot", "keys", "roles"])
    }

    public var json: TrustJSON {
        let listed = roles.map { TrustJSON.Member($0.rawValue, .members($1.members)) } + otherRoles
        return .members(
            header.json(type: Self.type) + [
                .init("consistent_snapshot", .bool(consistentSnapshot)), .init("keys", keyList.json),
                .init("roles", .members(listed)),
            ] + unknown)
    }

    /// Returns the keys and threshold of a role.
    public func keys(of role: TopLevelRole) -> RoleKeys {
        roles[role] ?? RoleKeys(keyIDs: [], threshold: 1)
    }

    /// Replaces the keys of a role; keys no role uses any more leave the list.
    public mutating func setKeys(_ keys: [TrustKey], threshold: Int = 1, for role: TopLevelRole) {
        for key in keys { keyList.add(key) }
        var changed = RoleKeys(keyIDs: keys.map(\.id), threshold: threshold)
        changed.unknown = roles[role]?.unknown ?? []
        roles[role] = changed
        let used = Set(roles.values.flatMap(\.keyIDs))
        keyList.keys.removeAll { !used.contains($0.id) }
    }
}

/// The four roles every repository has.
@_spi(Inlay) public enum TopLevelRole: String, CaseIterable, Sendable {
    case root, timestamp, snapshot, targets
}
