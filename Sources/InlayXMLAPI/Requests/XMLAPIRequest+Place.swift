import Foundation
public import InlayBehaviors
@_spi(Inlay) public import InlayWire

extension XMLAPIRequest {
    /// Writes the user's last known place, and its time, into the columns that the settings name.
    ///
    /// `nil` when no user is known. The contact is found by its id, else by the id that this app gave it.
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
        // The same text wherever the device is and whatever it speaks: a database compares it.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: moment.seconds))
    }
}
