import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The operations of XMLAPI, each of which runs in one transaction.
///
/// An app's token gives access only to contacts of its user: those that the app created, and those that the
/// environment bound to the user. Lists, columns and other contacts require an OAuth client.
struct XMLAPIOperations {
    /// The children of RESULT after SUCCESS.
    typealias Result = [XMLTree]
    private typealias Operation = @Sendable (Self) throws -> Result

    let request: XMLAPIRequest
    let caller: BehaviorCaller
    let contacts: ContactTransaction

    private struct Entry: Sendable {
        let run: Operation
        var isForApps = false
        var isReading = false
    }

    private static let all: [String: Entry] = [
        "addrecipient": Entry(run: { try $0.addRecipient() }, isForApps: true),
        "updaterecipient": Entry(run: { try $0.updateRecipient() }, isForApps: true),
        "selectrecipientdata": Entry(run: { try $0.selectRecipient() }, isForApps: true, isReading: true),
        "optoutrecipient": Entry(run: { try $0.optOutRecipient() }, isForApps: true),
        "removerecipient": Entry(run: { try $0.removeRecipient() }),
        "addlistcolumn": Entry(run: { try $0.addListColumn() }),
        "getlistmetadata": Entry(run: { try $0.listMetaData() }, isReading: true),
        "getlists": Entry(run: { try $0.lists() }, isReading: true),
        "insertupdaterelationaltable": Entry(run: { try $0.putRows() }),
        "deleterelationaltabledata": Entry(run: { try $0.deleteRows() }),
    ]

    /// Runs a request and returns the children of RESULT; throws ``XMLAPIFault``.
    ///
    /// With a key, a repeated request gets the stored response and has no effect.
    static func run(
        _ request: XMLAPIRequest, key: XMLAPIResponseStore.Key? = nil, for caller: BehaviorCaller,
        at now: Timestamp,
        in database: any SQLDatabase
    ) async throws -> Result {
        guard let entry = all[request.name.lowercased()] else {
            throw XMLAPIFault.invalidXML("the operation \(request.name.prefix(scalars: 64)) is unknown")
        }
        guard caller.userID == nil || entry.isForApps else { throw XMLAPIFault.noPermission }
        let body: @Sendable (any SQLConnection) throws -> Result = { connection in
            let contacts = ContactTransaction(
                environmentID: caller.environmentID, now: now, connection: connection)
            let operations = Self(request: request, caller: caller, contacts: contacts)
            guard let key, !entry.isReading else { return try entry.run(operations) }
            return try XMLAPIResponseStore(key: key, now: now, connection: connection).response {
                try entry.run(operations)
            }
        }
        guard entry.isReading else { return try await database.write(body) }
        // An app reads a single contact. The other operations read more the larger the lists are.
        return try await (entry.isForApps ? database : database.forAnalytics).read(body)
    }

    // MARK: Parts that operations share

    /// Returns the contact database that LIST_ID names.
    func database() throws -> ContactList { try list("LIST_ID", .database) }

    func list(_ parameter: String, _ kind: ContactList.Kind) throws -> ContactList {
        guard let list = try contacts.list(try request.number(parameter)), list.kind == kind else {
            throw XMLAPIFault.badList
        }
        return list
    }

    /// Returns the columns that the pairs name, with their texts. Throws ``XMLAPIFault/noColumn(_:)``.
    func columns(_ pairs: XMLAPIRequest.Pairs, of list: ContactList) throws -> [(
        column: ContactColumn, text: String
    )] {
        try pairs.map { pair in
            guard let column = list.column(pair.name) else { throw XMLAPIFault.noColumn(pair.name) }
            return (column, pair.value)
        }
    }

    /// Returns the columns with their validated values. Throws ``XMLAPIFault/badValue(_:)``.
    func values(_ columns: [(column: ContactColumn, text: String)]) throws -> [(
        column: ContactColumn, value: ContactValue
    )] {
        try columns.map { entry in
            do {
                return (entry.column, try ContactValue(entry.text, for: entry.column))
            } catch let mismatch as ContactValue.InvalidValue {
                throw XMLAPIFault.badValue(mismatch.reason)
            }
        }
    }

    /// Whether the caller may see and change a contact.
    func owns(_ row: SQLRow) throws -> Bool {
        guard let userID = caller.userID else { return true }
        return try row.optionalID("user_id") == userID
    }

    /// Returns the contact of this list that RECIPIENT_ID names; `nil` without this parameter.
    func recipientIDParameter(in list: ContactList) throws -> Int64? {
        guard let text = request.value("RECIPIENT_ID") else { return nil }
        guard let id = Int64(text), id > 0 else { throw XMLAPIFault.badRecipient }
        guard let row = try contacts.recipientRow(id), try owns(row) else { throw XMLAPIFault.doesNotExist }
        guard try row.int64("list_id") == list.id else { throw XMLAPIFault.notMember }
        return id
    }

    /// Returns the contact that a request names by its id, email address or columns. Throws
    /// ``XMLAPIFault/notMember`` when there is none.
    func recipientID(in list: ContactList, email: String = "EMAIL") throws -> Int64 {
        if let id = try recipientIDParameter(in: list) { return id }
        let wanted = try lookup(in: list, email)
        guard let id = try contacts.oldest(list, where: wanted), let row = try contacts.recipientRow(id),
            try owns(row)
        else { throw XMLAPIFault.notMember }
        return id
    }

    private func lookup(in list: ContactList, _ email: String) throws -> [(
        column: ContactColumn, text: String
    )] {
        let sync = try columns(request.syncFields(), of: list)
        if !sync.isEmpty { return sync }
        if let text = request.value(email) {
            guard let column = list.column(ContactColumn.emailKey) else { throw XMLAPIFault.noColumn(email) }
            return [(column, text)]
        }
        let named = try columns(request.columns(), of: list)
        guard !named.isEmpty else {
            throw list.hasEmailKey
                ? XMLAPIFault.noEmail : XMLAPIFault.keyMissing(list.keyColumns.map(\.name))
        }
        return named
    }
}
