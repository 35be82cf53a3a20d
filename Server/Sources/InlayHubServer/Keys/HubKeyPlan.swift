import InlayServerCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The changes of keys of one new root, before any of them is stored.
struct HubKeyPlan {
    struct Added {
        let role: TopLevelRole
        let pair: TrustKeyPair
        let name: String
        let isOnline: Bool
    }

    private let old: RootRole
    private var root: RootRole
    /// The root keys from operators' files.
    private let files: [TrustKeyPair]
    private let heldBefore: [TopLevelRole: [TrustKeyPair]]
    /// The private keys that can sign after the changes, by role.
    private(set) var signers: [TopLevelRole: [TrustKeyPair]]
    private(set) var added: [Added] = []
    private(set) var retired: [HubPromotion.RetiredKey] = []

    init(root: RootRole, signers: [TopLevelRole: [TrustKeyPair]], files: [TrustKeyPair]) {
        old = root
        self.root = root
        self.signers = signers
        heldBefore = signers
        self.files = files
    }

    /// Applies a change. Throws `not-found` for a key that the role does not have, and `invalid-value` for a threshold
    /// outside of 1 to 20, for a new key that equals the old one, and where the role has several keys and none is
    /// named.
    mutating func apply(_ change: HubKeyChange) throws {
        switch change {
        case .add(let role, let pair, let name, let isOnline):
            set(role, keys(of: role) + [pair.key], threshold: root.keys(of: role).threshold)
            signers[role, default: []].append(pair)
            added.append(Added(role: role, pair: pair, name: name, isOnline: isOnline))
        case .replace(let role, let id, let pair, let name, let isOnline):
            let old = try key(of: role, id).id
            guard old != pair.key.id else {
                throw Problem.invalidValue("key", "A fresh key, not the one that it replaces.")
            }
            try apply(.add(role, pair, name: name, isOnline: isOnline))
            try apply(.remove(role, old))
        case .remove(let role, let id):
            let key = try key(of: role, id)
            let rest = keys(of: role).filter { $0.id != key.id }
            set(role, rest, threshold: root.keys(of: role).threshold)
            signers[role]?.removeAll { $0.key.id == key.id }
            retired.append(HubPromotion.RetiredKey(role: role, id: key.id))
        case .threshold(let role, let count):
            guard (1...20).contains(count) else { throw Problem.invalidValue("threshold", "From 1 to 20.") }
            set(role, keys(of: role), threshold: count)
        }
    }

    /// Returns the next root, signed by every available key that the old or the new one lists.
    func signedRoot(expires: Timestamp) throws -> Signed<RootRole> {
        for role in TopLevelRole.allCases {
            let listed = root.keys(of: role)
            guard listed.threshold <= listed.keyIDs.count else {
                throw TrustError(
                    .policy, "\(listed.keyIDs.count) keys cannot reach a threshold of \(listed.threshold)",
                    file: role.rawValue)
            }
        }
        var next = root
        next.header.version = old.version + 1
        next.header.expires = expires
        let listed = Set(old.keys(of: .root).keyIDs + root.keys(of: .root).keyIDs)
        let available = (heldBefore[.root] ?? []) + (signers[.root] ?? []) + files
        var unique: [TrustKeyPair] = []
        for pair in available
        where listed.contains(pair.key.id) && !unique.contains(where: { $0.key == pair.key }) {
            unique.append(pair)
        }
        return try Signed(next, signers: unique)
    }

    /// Returns a role's key by its id or the first 8 or more characters of the id; the role's only key for `nil`.
    private func key(of role: TopLevelRole, _ id: String?) throws -> TrustKey {
        let all = keys(of: role)
        guard let id else {
            guard all.count == 1 else { throw Problem.whichKey(role, all.map(\.id)) }
            return all[0]
        }
        let found = all.filter { $0.id.hasPrefix(id) }
        guard found.count == 1, id.count >= 8 else { throw Problem.notFound("key") }
        return found[0]
    }

    private func keys(of role: TopLevelRole) -> [TrustKey] {
        root.keys(of: role).keyIDs.compactMap { id in root.keys.first { $0.id == id } }
    }

    private mutating func set(_ role: TopLevelRole, _ keys: [TrustKey], threshold: Int) {
        // This also removes keys without a role from the root's list of keys.
        root.setKeys(keys, threshold: threshold, for: role)
    }
}
