import InlayWire

/// Tells an account's apps that something changed, after it was committed.
struct DeviceNews: Sendable {
    let live: LiveHub
    let devices: DeviceStore

    /// Names the version of the topic for apps that subscribe.
    func serve() {
        live.topicVersions(LiveMessage.pairingTopic) { topics in
            let owners = topics.compactMap { topic in
                Self.account(of: topic.userID).map {
                    (PairingStore.Owner(environmentID: topic.environmentID, accountID: $0), topic)
                }
            }
            let versions = try await devices.versions(of: owners.map(\.0))
            return zip(owners, versions).reduce(into: [:]) { $0[$1.0.1] = $1.1 }
        }
    }

    func tell(_ owner: PairingStore.Owner) async throws {
        guard let version = try await devices.version(owner.environmentID, owner.accountID) else { return }
        await live.changed(
            environment: owner.environmentID, user: DeviceAccount.userID(of: owner.accountID),
            topic: LiveMessage.pairingTopic, version: version)
    }

    func tell(_ environmentID: String, _ accountID: String) async throws {
        try await tell(.init(environmentID: environmentID, accountID: accountID))
    }

    private static func account(of userID: String) -> String? {
        let prefix = DeviceAccount.userID(of: "")
        return userID.hasPrefix(prefix) ? String(userID.dropFirst(prefix.count)) : nil
    }
}
