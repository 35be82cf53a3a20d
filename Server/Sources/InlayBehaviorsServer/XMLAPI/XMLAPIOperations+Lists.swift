import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

extension XMLAPIOperations {
    static let maximumRows = 1_000
    /// The maximum size of a row's key in bytes, less than what PostgreSQL can index. A longer key is stored as its
    /// digest.
    private static let maximumKeyBytes = 2_048

    func addListColumn() throws -> Result {
        let id = try request.number("LIST_ID")
        guard let list = try contacts.list(id), list.kind != .contactList else { throw XMLAPIFault.badList }
        let name = try request.required("COLUMN_NAME")
        guard let code = Int(try request.required("COLUMN_TYPE")),
            let type = ContactColumnType(rawValue: code)
        else {
            let known = ContactColumnType.allCases.map { String($0.rawValue) }.joined(separator: ", ")
            throw XMLAPIFault.invalid("COLUMN_TYPE", "one of \(known).")
        }
        let choices = request.operation.child("SELECTION_VALUES")?.children(named: "VALUE").map(\.text) ?? []
        do {
            try contacts.add(
                ContactColumn(name, type, defaultValue: request.value("DEFAULT") ?? "", choices: choices),
                to: list.id)
        } catch let problem as Problem {
            throw XMLAPIFault.invalid(
                "COLUMN_NAME", [problem.title, problem.detail].compactMap(\.self).joined(separator: " "))
        }
        return []
    }

    func listMetaData() throws -> Result {
        guard let list = try contacts.list(try request.number("LIST_ID")) else { throw XMLAPIFault.badList }
        let size = try contacts.size(of: list)
        let columns = list.columns.map { column in
            var parts = [
                XMLTree("NAME", text: column.name), XMLTree("TYPE", text: String(column.type.rawValue)),
                XMLTree("DEFAULT_VALUE", text: column.defaultValue),
            ]
            if !column.choices.isEmpty {
                parts.append(
                    XMLTree("SELECTION_VALUES", column.choices.map { XMLTree("VALUE", text: $0) }))
            }
            return XMLTree("COLUMN", parts)
        }
        let keys = list.keyColumns.map { XMLTree("COLUMN", [XMLTree("NAME", text: $0.name)]) }
        return [
            XMLTree("NAME", text: list.name), XMLTree("ID", text: String(list.id)),
            XMLTree("TYPE", text: Self.typeCode(list.kind)), XMLTree("SIZE", text: String(size.all)),
            XMLTree("NUM_OPT_OUTS", text: String(size.optedOut)),
            XMLTree("LAST_MODIFIED", text: XMLAPIDateFormat.text(list.updatedAt)),
            XMLTree("CREATED", text: XMLAPIDateFormat.text(list.createdAt)),
            XMLTree("PARENT_DATABASE_ID", text: list.parentID.map(String.init) ?? ""),
            XMLTree("COLUMNS", columns), XMLTree("KEY_COLUMNS", keys),
        ]
    }

    func lists() throws -> Result {
        let type = request.value("LIST_TYPE")
        return try contacts.lists().filter { type == nil || type == Self.typeCode($0.kind) || type == "2" }
            .map { list in
                let size = try contacts.size(of: list)
                return XMLTree(
                    "LIST",
                    [
                        XMLTree("ID", text: String(list.id)), XMLTree("NAME", text: list.name),
                        XMLTree("TYPE", text: Self.typeCode(list.kind)),
                        XMLTree("SIZE", text: String(size.all)),
                        XMLTree("NUM_OPT_OUTS", text: String(size.optedOut)),
                        XMLTree("LAST_MODIFIED", text: XMLAPIDateFormat.text(list.updatedAt)),
                        XMLTree("PARENT_DATABASE_ID", text: list.parentID.map(String.init) ?? ""),
                    ])
            }
    }

    private static func typeCode(_ kind: ContactList.Kind) -> String {
        switch kind {
        case .database: "0"
        case .contactList: "18"
        case .table: "15"
        }
    }

    // MARK: Relational tables

    func putRows() throws -> Result {
        let table = try list("TABLE_ID", .table)
        let rows = try request.rows(cell: "COLUMN")
        guard rows.count <= Self.maximumRows else {
            throw XMLAPIFault.invalid("ROWS", "at most \(Self.maximumRows).")
        }
        let failures = try rows.enumerated().compactMap { index, row -> XMLTree? in
            do {
                try put(row, into: table, place: index)
                return nil
            } catch let fault as XMLAPIFault {
                return XMLTree(
                    "FAILURE",
                    attributes: [
                        "failure_type": "permanent", "description": fault.message, "row": "\(index + 1)",
                    ],
                    row.map { XMLTree("COLUMN", attributes: ["name": $0.name], cdata: $0.value) })
            }
        }
        return [XMLTree("FAILURES", failures)]
    }

    func deleteRows() throws -> Result {
        let table = try list("TABLE_ID", .table)
        let rows = try request.rows(cell: "KEY_COLUMN")
        guard rows.count <= Self.maximumRows else {
            throw XMLAPIFault.invalid("ROWS", "at most \(Self.maximumRows).")
        }
        guard !table.keyColumns.isEmpty else { throw XMLAPIFault.keyMissing([]) }
        for row in rows {
            let cells = try values(columns(row, of: table))
            for key in try keys(of: cells, in: table) { _ = try contacts.removeRow(key: key, from: table) }
        }
        return []
    }

    /// Inserts or changes a row. The whole row is checked first, so that an invalid row changes nothing.
    private func put(_ row: XMLAPIRequest.Pairs, into table: ContactList, place: Int) throws {
        let cells = try values(columns(row, of: table))
        let keys = try table.keyColumns.isEmpty ? [freshKey()] : keys(of: cells, in: table)
        var all: [String: String] = [:]
        for key in keys.reversed() {
            all.merge(try contacts.cells(key: key, in: table) ?? [:]) { _, newer in newer }
        }
        for (column, value) in cells { all[column.name] = value.text.isEmpty ? nil : value.text }
        try contacts.put(all, key: keys[0], in: table)
        for former in keys.dropFirst() { _ = try contacts.removeRow(key: former, from: table) }
    }

    /// Returns a new key for a row of a table without key columns.
    private func freshKey() throws -> String { "#\(try contacts.nextNumber("row", from: 1))" }

    /// Returns the key of a row and, if they differ, the keys by earlier versions, which left numbers as they were sent
    /// and long keys as they were.
    private func keys(
        of cells: [(column: ContactColumn, value: ContactValue)], in table: ContactList
    ) throws -> [String] {
        let values = table.keyColumns.compactMap { key in cells.last { $0.column.key == key.key }?.value }
        guard values.count == table.keyColumns.count, values.allSatisfy({ !$0.text.isEmpty }) else {
            throw XMLAPIFault.keyMissing(table.keyColumns.map(\.name))
        }
        let key = try JSONColumn.text(values.map(\.folded))
        let former = try JSONColumn.text(values.map { ContactValue.folded($0.text) })
        var keys: [String] = []
        for candidate in [Self.indexable(key), key, former] where !keys.contains(candidate) {
            keys.append(candidate)
        }
        return keys
    }

    private static func indexable(_ key: String) -> String {
        guard key.utf8.count > maximumKeyBytes else { return key }
        return "#" + Secret.base64URL(Data(SHA256.hash(data: Data(key.utf8))))
    }
}

/// The notation of times in XMLAPI: `6/25/04 3:29 PM`, in UTC.
enum XMLAPIDateFormat {
    static func text(_ moment: Timestamp) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: moment.seconds)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let hour = parts.hour ?? 0
        let year = twoDigits((parts.year ?? 0) % 100)
        let clock = "\(hour % 12 == 0 ? 12 : hour % 12):\(twoDigits(parts.minute ?? 0))"
        return "\(parts.month ?? 0)/\(parts.day ?? 0)/\(year) \(clock) \(hour < 12 ? "AM" : "PM")"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
