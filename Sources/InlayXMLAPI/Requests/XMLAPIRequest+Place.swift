import Foundation
public import InlayBehaviors
@_spi(Inlay) public import InlayWire

extension XMLAPIRequest {
    /// Returns the request that writes the user's last known place and its time into the columns of the settings.
    ///
    /// Returns `nil` when the user is unknown. The contact is found by its id, else by the id that this app gave it.
    public static func updateLastKnownPlace(
        _ address: String, at moment: Timestamp, of identity: BehaviorIdentity, settings: BehaviorSettings,
        list: String? = nil
    ) -> Self? {
        let columns = [
            Field(settings.location.lastKnownColumn, address),
            Field(
                settings.location.lastKnownTimestampColumn,
                text(moment, format: settings.location.lastKnownDateFormat)),
        ]
        if !identity.recipientID.isEmpty {
            return .updateRecipient(id: identity.recipientID, list: list, columns: columns)
        }
        guard !identity.primaryUserID.isEmpty else { return nil }
        var request = XMLAPIRequest(.updateRecipient, columns: columns)
        request["LIST_ID"] = list
        request.syncFields = [Field(IdentityRules(settings).mobileUserIDColumn, identity.primaryUserID)]
        return request
    }

    private static func text(_ moment: Timestamp, format: String) -> String {
        let formatter = DateFormatter()
        // Independent of the device's time zone and language, because a database compares the text.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: moment.seconds))
    }
}
