import InlaySQL
@_spi(Inlay) import InlayWire

extension XMLAPIOperations {
    func addRecipient() throws -> Result {
        let list = try database()
        let columns = try columns(request.columns(), of: list)
        let values = try values(columns)
        let subLists = try subLists(of: list)
        try contacts.lock(list)
        let found = try existing(list, columns)
        let id: Int64
        if let found {
            try update(found, list, columns, values)
            id = found
        } else {
            id = try contacts.insert(
                list, values, from: Int(request.value("CREATED_FROM") ?? "") ?? 1, owner: caller.userID)
        }
        for subList in subLists { try contacts.addMember(id, to: subList) }
        return [XMLTree("RecipientId", text: String(id))]
    }

    /// Returns the existing contact with the SYNC_FIELDS or, when there is none, with the list's key.
    private func existing(
        _ list: ContactList, _ columns: [(column: ContactColumn, text: String)]
    ) throws -> Int64? {
        let sync = try self.columns(request.syncFields(), of: list)
        let keys = list.keyColumns.map(\.key)
        // When a column occurs twice, its last value is stored, so that value is the key.
        let given = list.keyColumns.compactMap { key in columns.last { $0.column.key == key.key } }
            .filter { !$0.text.isEmpty }
        if list.hasEmailKey, given.isEmpty { throw XMLAPIFault.noEmail }
        guard Set(given.map(\.column.key)).count == keys.count else {
            let missing = list.keyColumns.filter { key in !given.contains { $0.column.key == key.key } }
            throw XMLAPIFault.keyMissing(missing.map(\.name))
        }
        return try contacts.oldest(list, where: sync.isEmpty ? given : sync)
            ?? contacts.oldest(list, where: given)
    }

    private func update(
        _ id: Int64, _ list: ContactList, _ columns: [(column: ContactColumn, text: String)],
        _ values: [(column: ContactColumn, value: ContactValue)]
    ) throws {
        guard let row = try contacts.recipientRow(id), try owns(row) else { throw XMLAPIFault.noPermission }
        guard request.isTrue("UPDATE_IF_FOUND") else {
            throw try row.optionalInt64("opted_out_at") == nil
                ? XMLAPIFault.exists : XMLAPIFault.optedOut
        }
        try checkKeys(of: id, in: list, columns)
        try contacts.update(id, in: list, values, owner: caller.userID)
    }

    func updateRecipient() throws -> Result {
        let list = try database()
        let isOptingOut = try request.columns().last { $0.name.lowercased() == "opt_out" }
            .map { ["true", "yes", "1"].contains($0.value.lowercased()) }
        let pairs = try request.columns().filter { pair in
            pair.name.lowercased() != "opt_out" || list.column(pair.name) != nil
        }
        let columns = try columns(pairs, of: list)
        let values = try values(columns)
        let subLists = try subLists(of: list)
        let id = try target(of: columns, in: list)
        try checkKeys(of: id, in: list, columns)
        try contacts.update(id, in: list, values, owner: caller.userID)
        if let isOptingOut { try contacts.setOptedOut(isOptingOut, id, in: list) }
        for subList in subLists { try contacts.addMember(id, to: subList) }
        return [XMLTree("RecipientId", text: String(id))]
    }

    /// Returns the contact that an update names by RECIPIENT_ID, OLD_EMAIL, SYNC_FIELDS or the list's key.
    private func target(
        of columns: [(column: ContactColumn, text: String)], in list: ContactList
    ) throws -> Int64 {
        let named =
            try request.value("RECIPIENT_ID") != nil || request.value("OLD_EMAIL") != nil
            || !request.syncFields().isEmpty
        if named { return try recipientID(in: list, email: "OLD_EMAIL") }
        let keys = list.keyColumns
        let given = columns.filter { entry in keys.contains { $0.key == entry.column.key } }
        guard !keys.isEmpty, given.count == keys.count else {
            throw list.hasEmailKey ? XMLAPIFault.noEmail : XMLAPIFault.keyMissing(keys.map(\.name))
        }
        guard let id = try contacts.oldest(list, where: given), let row = try contacts.recipientRow(id),
            try owns(row)
        else { throw XMLAPIFault.notMember }
        return id
    }

    /// Throws ``XMLAPIFault/exists`` when the change would give the contact another contact's key.
    private func checkKeys(
        of id: Int64, in list: ContactList, _ columns: [(column: ContactColumn, text: String)]
    ) throws {
        let keys = list.keyColumns
        guard !keys.isEmpty,
            columns.contains(where: { entry in keys.contains { $0.key == entry.column.key } })
        else { return }
        try contacts.lock(list)
        let old = try contacts.values(of: id, in: list)
        let wanted = keys.map { key in
            (column: key, text: columns.last { $0.column.key == key.key }?.text ?? old[key.name] ?? "")
        }
        if let other = try contacts.oldest(list, where: wanted), other != id { throw XMLAPIFault.exists }
    }

    func selectRecipient() throws -> Result {
        let list = try database()
        let id = try recipientID(in: list)
        guard let row = try contacts.recipientRow(id) else { throw XMLAPIFault.notMember }
        let recipient = try Recipient(row, values: contacts.values(of: id, in: list))
        let email = list.column(ContactColumn.emailKey).flatMap { recipient.values[$0.name] } ?? ""
        var result = [
            XMLTree("EMAIL", text: email), XMLTree("Email", text: email),
            XMLTree("RecipientId", text: String(id)), XMLTree("EmailType", text: "0"),
            XMLTree("LastModified", text: XMLAPIDateFormat.text(recipient.updatedAt)),
            XMLTree("CreatedFrom", text: String(recipient.createdFrom)),
            XMLTree("OptedIn", text: XMLAPIDateFormat.text(recipient.createdAt)),
            XMLTree("OptedOut", text: recipient.optedOutAt.map(XMLAPIDateFormat.text) ?? ""),
        ]
        result.append(
            XMLTree(
                "COLUMNS",
                list.columns.map { column in
                    XMLTree(
                        "COLUMN",
                        [
                            XMLTree("NAME", text: column.name),
                            XMLTree("VALUE", text: recipient.values[column.name] ?? ""),
                        ])
                }))
        if request.isTrue("RETURN_CONTACT_LISTS") {
            let ids = try contacts.memberships(id)
            result.append(
                XMLTree("CONTACT_LISTS", ids.map { XMLTree("CONTACT_LIST_ID", text: String($0)) }))
        }
        return result
    }

    func optOutRecipient() throws -> Result {
        let list = try database()
        try contacts.setOptedOut(true, try recipientID(in: list), in: list)
        return []
    }

    func removeRecipient() throws -> Result {
        let list = try database()
        try contacts.remove(try recipientID(in: list), from: list)
        return []
    }

    /// Returns the sub-lists to which the contact is added. Throws ``XMLAPIFault/badList`` for one of another database.
    private func subLists(of list: ContactList) throws -> [Int64] {
        let ids = try request.contactLists()
        for id in ids {
            guard let found = try contacts.list(id), found.kind == .contactList, found.parentID == list.id
            else { throw XMLAPIFault.badList }
        }
        return ids
    }
}
