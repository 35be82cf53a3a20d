@_spi(Inlay) public import InlayWire

extension XMLAPIRequest {
    /// The request as `Envelope`, `Body` and the operation's element; equal requests give equal trees.
    @_spi(Inlay) public var envelope: XMLTree {
        XMLTree("Envelope", [XMLTree("Body", [XMLTree(operation.rawValue, elements)])])
    }

    private var elements: [XMLTree] {
        plain + columns.map { Self.pair("COLUMN", $0) } + lists + table + synced
    }

    private var plain: [XMLTree] {
        let isList = { (field: Field) in field.name.lowercased() == "list_id" }
        let ordered = values.filter(isList) + values.filter { !isList($0) }
        return ordered.map { XMLTree($0.name, text: $0.value) }
    }

    private var lists: [XMLTree] {
        guard !contactLists.isEmpty else { return [] }
        return [XMLTree("CONTACT_LISTS", contactLists.map { XMLTree("CONTACT_LIST_ID", text: $0) })]
    }

    private var table: [XMLTree] {
        guard !rows.isEmpty else { return [] }
        let rows = rows.map { row in
            XMLTree("ROW", row.map { XMLTree("COLUMN", attributes: ["name": $0.name], cdata: $0.value) })
        }
        return [XMLTree("ROWS", rows)]
    }

    private var synced: [XMLTree] {
        guard !syncFields.isEmpty else { return [] }
        return [XMLTree("SYNC_FIELDS", syncFields.map { Self.pair("SYNC_FIELD", $0) })]
    }

    private static func pair(_ name: String, _ field: Field) -> XMLTree {
        XMLTree(name, [XMLTree("NAME", text: field.name), XMLTree("VALUE", text: field.value)])
    }
}
