import Foundation
internal import InlayBehaviors
@_spi(Inlay) import InlayWire

/// The stored values of the user and the campaign, which can be read and set at any time.
public enum EngageConfig {
    /// The id of the registered user, as events carry it; empty when nobody is known.
    public static func primaryUserId() -> String { EngageRuntime.shared.identities.identity.primaryUserID }

    /// Sets the id of the registered user for the events from now on, over restarts; empty forgets it.
    public static func storePrimaryUserId(_ userId: String?) {
        EngageRuntime.shared.identities.setPrimaryUserID(userId ?? "")
    }

    /// The id of the anonymous user; empty when there is none.
    public static func anonymousId() -> String { EngageRuntime.shared.identities.identity.anonymousID }

    /// Sets the id of the anonymous user, over restarts; empty forgets it.
    public static func storeAnonymousId(_ anonymousId: String?) {
        EngageRuntime.shared.identities.setAnonymousID(anonymousId ?? "")
    }

    /// The contact's id in the database; empty when it is not known.
    public static func recipientId() -> String { EngageRuntime.shared.identities.identity.recipientID }

    /// Sets the contact's id in the database, over restarts; empty forgets it.
    public static func storeRecipientId(_ recipientId: String?) {
        EngageRuntime.shared.identities.setRecipientID(recipientId ?? "")
    }

    /// The campaign that events belong to now; empty when there is none, or the SDK has not started.
    public static func currentCampaign() -> String {
        EngageRuntime.shared.engine?.behaviors.currentCampaign ?? ""
    }

    /// The campaign that ended or was replaced last; empty when there was none.
    public static func lastCampaign() -> String { EngageRuntime.shared.engine?.behaviors.lastCampaign ?? "" }

    /// Begins a campaign that ends at a moment in Unix seconds; 0 or less takes the configured time.
    public static func storeCurrentCampaign(_ campaign: String, withExpirationTimestamp timestamp: Int) {
        let names = EngageRuntime.shared.settings.parameters
        var parameters = [names.currentCampaign: campaign]
        if timestamp > 0 { parameters[names.campaignEndTimeStamp] = String(timestamp) }
        let found = parameters
        EngageRuntime.shared.perform { _ = try? await $0.behaviors.beginCampaign(found) }
    }
}
