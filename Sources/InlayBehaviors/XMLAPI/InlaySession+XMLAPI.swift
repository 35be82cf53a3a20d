public import InlayCore

extension InlaySession {
    /// The marketing database, with the list and the network of `behaviors`.
    public var xmlapi: XMLAPIClient {
        let configuration = behaviors.engine.configuration
        return feature(XMLAPIClient.self) {
            let list = configuration.settings.databaseListID
            // What nobody filled in is no list.
            let isList = !list.isEmpty && list != BehaviorSettings().databaseListID
            return XMLAPIClient(
                $0, listID: { isList ? list : nil }, network: configuration.network)
        }
    }

    /// Who this app's user is in the marketing database, by the settings' groups `Recipient` and
    /// `AuditRecord`. Keeps the identity of `behaviors`.
    public var contactIdentities: ContactIdentities {
        let behaviors = behaviors
        return makeContactIdentities {
            // Before that nobody is known, and a flow would make a second contact.
            try await behaviors.engine.started()
            return behaviors.identity
        } write: {
            try await behaviors.setIdentity($0)
        }
    }

    /// The same with the identity kept elsewhere; whoever asks first decides where.
    package func makeContactIdentities(
        read: @escaping @Sendable () async throws -> BehaviorIdentity,
        write: @escaping @Sendable (BehaviorIdentity) async throws -> Void
    ) -> ContactIdentities {
        let (rules, xmlapi) = (IdentityRules(behaviors.settings), xmlapi)
        return feature(ContactIdentities.self) {
            ContactIdentities($0, xmlapi: xmlapi, rules: rules, read: read, write: write)
        }
    }
}
