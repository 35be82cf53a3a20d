import Foundation

extension TrustClient {
    private struct Visit {
        let name: String
        let signers: RoleKeys
        let keys: KeyList
    }

    /// Searches depth-first, in the order of the delegations (5.6.7).
    func search(_ path: String) async throws(TrustError) -> TargetFile {
        guard let state, let top = state.targets else {
            throw TrustError(.notFound, "no update has succeeded yet")
        }
        var visited: Set<[UInt8]> = []
        // The last is visited next.
        var open: [Visit] = []
        var current = top.content
        while true {
            if let target = current[path] { return target }
            if let delegations = current.delegations { Self.push(delegations, for: path, onto: &open) }
            var found: TargetsRole?
            while found == nil, let visit = open.popLast() {
                // Each name once, so that cycles end.
                guard visited.insert(Array(visit.name.utf8)).inserted else { continue }
                guard visited.count <= limits.delegations else {
                    throw TrustError(
                        .endlessData, "more than \(limits.delegations) delegated roles in one search",
                        file: path)
                }
                found = try await targetsMetadata(
                    visit.name, by: visit.signers, of: visit.keys, in: state, isOnline: !isOffline
                ).content
            }
            guard let found else { throw TrustError(.notFound, "no role lists the target", file: path) }
            current = found
        }
    }

    private static func push(_ delegations: Delegations, for path: String, onto open: inout [Visit]) {
        var children: [Visit] = []
        for role in delegations.roles where role.covers(path) {
            children.append(Visit(name: role.name, signers: role.keys, keys: delegations.keyList))
            if role.isTerminating {
                // No later role may answer for this path, on this level or above.
                open = []
                break
            }
        }
        open.append(contentsOf: children.reversed())
    }
}
