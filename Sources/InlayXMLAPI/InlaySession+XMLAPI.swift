package import InlayBehaviors
public import InlayCore

extension InlaySession {
    /// The client of the marketing database, with the list and the network of `behaviors`.
    public var xmlapi: XMLAPIClient {
        let configuration = behaviors.configuration
        return feature(XMLAPIClient.self) {
            let list = configuration.settings.databaseListID
            // The default value is a placeholder, not a list.
            let isList = !list.isEmpty && list != BehaviorSettings().databaseListID
            return XMLAPIClient(
                $0, listID: { isList ? list : nil }, network: configuration.network)
        }
    }

    /// The identity of this app's user in the marketing database, by the settings' groups `Recipient` and
    /// `AuditRecord`. Maintains the identity of `behaviors`.
    public var contactIdentities: ContactIdentities {
        let behaviors = behaviors
        return makeContactIdentities {
            // Before `behaviors` has started, its identity is empty, and a flow would create a second contact.
            try await behaviors.started()
            return behaviors.identity
        } write: {
            try await behaviors.setIdentity($0)
        }
    }

    /// Returns the contact identities with the identity stored elsewhere; the first call determines where.
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

extension InlaySession {
    /// Writes every new place to the contact until the session ends; does nothing without a location source and a
    /// configured list. Call it once.
    public func reportLastKnownPlaces() {
        let (behaviors, xmlapi) = (behaviors, xmlapi)
        guard behaviors.hasLocationSource, xmlapi.hasList else { return }
        let updates = behaviors.locationUpdates()
        let clock = serverClock
        // Ends with the updates, at log-out.
        work.start {
            for await fix in updates {
                guard let address = await behaviors.place(at: fix.coordinates)?.address,
                    let request = XMLAPIRequest.updateLastKnownPlace(
                        address, at: clock.now(), of: behaviors.identity, settings: behaviors.settings)
                else { continue }
                // A report that cannot be stored is dropped: the next place makes it outdated.
                _ = try? await xmlapi.post(request)
            }
        }
    }
}
