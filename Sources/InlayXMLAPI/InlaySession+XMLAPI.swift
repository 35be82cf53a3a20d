package import InlayBehaviors
public import InlayCore

extension InlaySession {
    /// The marketing database, with the list and the network of `behaviors`.
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
            // Before that nobody is known, and a flow would make a second contact.
            try await behaviors.started()
            return behaviors.identity
        } write: {
            try await behaviors.setIdentity($0)
        }
    }

    /// The same with the identity kept elsewhere; the first call decides where.
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
    /// Writes every new place to the contact, as long as the session lasts; does nothing without
    /// a source of places and a configured list. Call it once.
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
