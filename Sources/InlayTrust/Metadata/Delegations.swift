@_spi(Inlay) import InlayWire

/// The roles to which a targets role delegates paths, in order of preference.
@_spi(Inlay) public struct Delegations: Sendable, Equatable {
    /// The roles, in the order in which they are asked.
    public private(set) var roles: [DelegatedRole]

    var keyList: KeyList
    private var unknown: [TrustJSON.Member] = []

    /// No delegations yet.
    public init() { (roles, keyList) = ([], KeyList()) }

    init(json: TrustJSON) throws(TrustError) {
        keyList = try KeyList(json: json.required("keys"))
        roles = []
        var names: Set<[UInt8]> = []
        // Without a list the delegations are of a kind this version does not know: nothing is delegated.
        for value in try json["roles"]?.list("roles") ?? [] {
            let role = try DelegatedRole(json: value)
            guard names.insert(Array(role.name.utf8)).inserted else {
                throw TrustError(.format, "role \(role.name.prefix(scalars: 80)) is delegated to twice")
            }
            roles.append(role)
        }
        unknown = json.unknown(besides: ["keys", "roles"])
    }

    var json: TrustJSON {
        .members([.init("keys", keyList.json), .init("roles", .array(roles.map(\.json)))] + unknown)
    }

    /// Adds a delegation after the others, or replaces the one of the same name in its place.
    public mutating func set(_ role: DelegatedRole, keys: [TrustKey]) {
        for key in keys { keyList.add(key) }
        if let index = roles.firstIndex(where: { $0.name.hasSameBytes(as: role.name) }) {
            roles[index] = role
        } else {
            roles.append(role)
        }
        dropUnusedKeys()
    }

    /// Ends a delegation.
    public mutating func remove(_ name: String) {
        roles.removeAll { $0.name.hasSameBytes(as: name) }
        dropUnusedKeys()
    }

    private mutating func dropUnusedKeys() {
        let used = Set(roles.flatMap(\.keys.keyIDs))
        keyList.keys.removeAll { !used.contains($0.id) }
    }
}
