import Foundation
import InlayBehaviors
public import InlayXMLAPI

// EngageSDK's constructors of common requests.
extension XMLAPI {
    /// Returns a request that reads a contact by its email address.
    public static func selectRecipientData(_ emailAddress: String, list listId: String) -> XMLAPI {
        XMLAPI(.selectRecipient(email: emailAddress, list: listId))
    }

    /// Returns a request that reads a contact by its id.
    public static func selectRecipientData(withId recipientId: String, list listId: String) -> XMLAPI {
        XMLAPI(.selectRecipient(id: recipientId, list: listId))
    }

    /// Returns a request that adds a contact with an email address, or updates the existing contact.
    public static func addRecipient(_ emailAddress: String, list listId: String) -> XMLAPI {
        XMLAPI(.addRecipient(email: emailAddress, list: listId))
    }

    /// Returns a request that adds a contact with the user's id in a column.
    public static func addRecipient(
        withMobileUserIdColumnName column: String, mobileUserId: String, list listId: String,
        updateIfFound: Bool = false
    ) -> XMLAPI {
        XMLAPI(.addRecipient(column: column, id: mobileUserId, list: listId, updatesIfFound: updateIfFound))
    }

    /// Returns a request that adds an anonymous contact.
    public static func addRecipientAnonymous(toList listId: String) -> XMLAPI {
        XMLAPI(.addAnonymousRecipient(list: listId))
    }

    /// Returns a request that changes a contact; add the columns to it with `addColumns`.
    public static func updateRecipient(_ recipientId: String, list listId: String) -> XMLAPI {
        XMLAPI(.updateRecipient(id: recipientId, list: listId))
    }

    /// Returns a request that adds a column to a database.
    public static func addColumn(
        _ column: String, toDatabase listId: String, ofColumnType type: XMLAPIRequest.ColumnType
    ) -> XMLAPI {
        XMLAPI(.addColumn(column, type: type, list: listId))
    }

    /// Returns a request that inserts or updates rows of a relational table.
    public static func insertUpdateRelationalTable(_ tableId: String, rows: [[String: Any]]) -> XMLAPI {
        let request = XMLAPI(.insertUpdateRows([], table: tableId))
        request.addRows(rows)
        return request
    }

    /// Returns a request that writes the user's location into the columns of the settings; `nil` when no user is known.
    ///
    /// With a source of locations the SDK sends such requests itself.
    public static func updateUserLastKnownLocation(_ address: String, listId: String) -> XMLAPI? {
        let runtime = EngageRuntime.shared
        return XMLAPIRequest.updateLastKnownPlace(
            address, at: runtime.services.clock.now(), of: runtime.identities.identity,
            settings: runtime.settings,
            list: listId
        ).map { XMLAPI($0) }
    }
}
