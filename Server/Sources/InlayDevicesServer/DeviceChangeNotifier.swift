import InlayServerCore
@_spi(Inlay) import InlayWire

/// Notifies an account's apps of changes, after they were committed.
struct DeviceChangeNotifier: Sendable {
    let live: LiveHub
    let devices: DeviceStore

    /// Provides the versions of the topic for apps that subscribe.
    func serve() {
        live.registerVersionsLookup(forPrefix: LiveMessage.pairingTopic) { topics in
            let owners = topics.compactMap { topic in
                topic.userID.accountID.map {
                    (PairingStore.Owner(environmentID: topic.environmentID, accountID: $0), topic)
                }
            }
            let versions = try await devices.versions(of: owners.map(\.0))
            return zip(owners, versions).reduce(into: [:]) { $0[$1.0.1] = $1.1 }
        }
    }

    func notify(_ owner: PairingStore.Owner) async throws {
        guard let version = try await devices.version(owner.environmentID, owner.accountID) else { return }
        await live.changed(
            environment: owner.environmentID, user: UserID(account: owner.accountID),
            topic: LiveMessage.pairingTopic, version: version)
    }

    func notify(_ environmentID: EnvironmentID, _ accountID: AccountID) async throws {
        try await notify(.init(environmentID: environmentID, accountID: accountID))
    }
}
