import Foundation
internal import InlayBehaviors
@_spi(Inlay) import InlayWire

/// The stored values of the user and the campaign, which can be read and set at any time.
public enum EngageConfig {
    /// Returns the id of the registered user that events carry; empty when it is not set.
    public static func primaryUserId() -> String { EngageRuntime.shared.identities.identity.primaryUserID }

    /// Stores the id of the registered user for all later events, also after a restart; empty removes the id.
    public static func storePrimaryUserId(_ userId: String?) {
        EngageRuntime.shared.identities.setPrimaryUserID(userId ?? "")
    }

    /// Returns the id of the anonymous user; empty when there is none.
    public static func anonymousId() -> String { EngageRuntime.shared.identities.identity.anonymousID }

    /// Stores the id of the anonymous user, also after a restart; empty removes the id.
    public static func storeAnonymousId(_ anonymousId: String?) {
        EngageRuntime.shared.identities.setAnonymousID(anonymousId ?? "")
    }

    /// Returns the contact's id in the database; empty when it is not known.
    public static func recipientId() -> String { EngageRuntime.shared.identities.identity.recipientID }

    /// Stores the contact's id in the database, also after a restart; empty removes the id.
    public static func storeRecipientId(_ recipientId: String?) {
        EngageRuntime.shared.identities.setRecipientID(recipientId ?? "")
    }

    /// Returns the current campaign of events; empty when there is none, or before the SDK has started.
    public static func currentCampaign() -> String {
        EngageRuntime.shared.engine?.behaviors.currentCampaign ?? ""
    }

    /// Returns the campaign that has ended or was replaced most recently; empty when there was none.
    public static func lastCampaign() -> String { EngageRuntime.shared.engine?.behaviors.lastCampaign ?? "" }

    /// Begins a campaign that ends at a time in Unix seconds; with 0 or less, after the configured lifetime.
    public static func storeCurrentCampaign(_ campaign: String, withExpirationTimestamp timestamp: Int) {
        let names = EngageRuntime.shared.settings.parameters
        var parameters = [names.currentCampaign: campaign]
        if timestamp > 0 { parameters[names.campaignEndTimeStamp] = String(timestamp) }
        let campaignParameters = parameters
        EngageRuntime.shared.perform { _ = try? await $0.behaviors.beginCampaign(campaignParameters) }
    }
}
