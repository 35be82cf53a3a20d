import Foundation
import InlayBehaviors
public import InlayXMLAPI

/// EngageSDK's short cuts.
extension XMLAPI {
    /// Reads a contact by its address.
    public static func selectRecipientData(_ emailAddress: String, list listId: String) -> XMLAPI {
        XMLAPI(.selectRecipient(email: emailAddress, list: listId))
    }

    /// Reads a contact by its id.
    public static func selectRecipientData(withId recipientId: String, list listId: String) -> XMLAPI {
        XMLAPI(.selectRecipient(id: recipientId, list: listId))
    }

    /// Adds a contact with an address, or updates the one that is there.
    public static func addRecipient(_ emailAddress: String, list listId: String) -> XMLAPI {
        XMLAPI(.addRecipient(email: emailAddress, list: listId))
    }

    /// Adds a contact that is known by an id in a column.
    public static func addRecipient(
        withMobileUserIdColumnName column: String, mobileUserId: String, list listId: String,
        updateIfFound: Bool = false
    ) -> XMLAPI {
        XMLAPI(.addRecipient(column: column, id: mobileUserId, list: listId, updatesIfFound: updateIfFound))
    }

    /// Adds an anonymous contact.
    public static func addRecipientAnonymous(toList listId: String) -> XMLAPI {
        XMLAPI(.addAnonymousRecipient(list: listId))
    }

    /// Changes a contact; the columns are added afterwards.
    public static func updateRecipient(_ recipientId: String, list listId: String) -> XMLAPI {
        XMLAPI(.updateRecipient(id: recipientId, list: listId))
    }

    /// Adds a column to a database.
    public static func addColumn(
        _ column: String, toDatabase listId: String, ofColumnType type: XMLAPIRequest.ColumnType
    ) -> XMLAPI {
        XMLAPI(.addColumn(column, type: type, list: listId))
    }

    /// Puts rows into a relational table.
    public static func insertUpdateRelationalTable(_ tableId: String, rows: [[String: Any]]) -> XMLAPI {
        let request = XMLAPI(.insertUpdateRows([], table: tableId))
        request.addRows(rows)
        return request
    }

    /// Writes where the user is into the contact, as the settings say; `nil` when nobody is known.
    ///
    /// With a source of places the SDK does this by itself.
    public static func updateUserLastKnownLocation(_ address: String, listId: String) -> XMLAPI? {
        let host = EngageRuntime.shared
        return XMLAPIRequest.updateLastKnownPlace(
            address, at: host.services.clock.now(), of: host.identities.identity, settings: host.settings,
            list: listId
        ).map { XMLAPI($0) }
    }
}
