import Foundation
@_spi(Inlay) import InlayWire

/// A request: the operation of an envelope with its parameters.
struct XMLAPIRequest: Sendable {
    /// The names and values of COLUMN or SYNC_FIELD elements.
    typealias Pairs = [(name: String, value: String)]

    /// The element inside of Body.
    let operation: XMLTree

    /// Reads a document; throws ``XMLAPIFault/invalidXML(_:)`` when it is no request.
    init(document: Data) throws(XMLAPIFault) {
        let root: XMLTree
        do {
            root = try XMLTree(reading: document, limits: .xmlapi)
        } catch {
            throw .invalidXML(error.description)
        }
        guard root.isNamed("Envelope"), let body = root.child("Body") else {
            throw .invalidXML("there is no Envelope with a Body")
        }
        guard let operation = body.children.first, body.children.count == 1 else {
            throw .invalidXML("a Body holds one operation")
        }
        self.operation = operation
    }

    /// The operation's name.
    var name: String { operation.localName }

    /// Returns a parameter's text without white space at its ends; `nil` when it is absent or empty.
    func value(_ name: String) -> String? {
        let text = operation.value(name)?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text?.isEmpty == false ? text : nil
    }

    func required(_ name: String) throws -> String {
        guard let value = value(name) else { throw XMLAPIFault.missing(name) }
        return value
    }

    /// Returns whether a parameter is `true`, `yes` or `1`; false when it is absent.
    func isTrue(_ name: String) -> Bool { ["true", "yes", "1"].contains(value(name)?.lowercased()) }

    /// Returns the id of a list or table. Throws ``XMLAPIFault/badList`` when it is no number.
    func number(_ name: String) throws -> Int64 {
        guard let number = Int64(try required(name)) else { throw XMLAPIFault.badList }
        return number
    }

    /// Returns the COLUMN elements; several VALUEs of one are joined with semicolons, as in a multiple choice.
    func columns() throws -> Pairs {
        try Self.pairs(operation.children(named: "COLUMN"), .columnWithoutName)
    }

    /// Returns the SYNC_FIELD elements.
    func syncFields() throws -> Pairs {
        let fields = operation.child("SYNC_FIELDS")?.children(named: "SYNC_FIELD") ?? []
        return try Self.pairs(fields, .syncFieldWithoutName)
    }

    /// Returns the ids of the sub-lists in CONTACT_LISTS.
    func contactLists() throws -> [Int64] {
        let ids = operation.child("CONTACT_LISTS")?.children(named: "CONTACT_LIST_ID") ?? []
        return try ids.map {
            guard let id = Int64($0.text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw XMLAPIFault.badList
            }
            return id
        }
    }

    /// Returns the ROWs of a relational table, each with its cells by name.
    func rows(cell: String) throws -> [Pairs] {
        guard let rows = operation.child("ROWS") else { throw XMLAPIFault.missing("ROWS") }
        return try rows.children(named: "ROW").map { row in
            try row.children(named: cell).map { element in
                guard let name = element.attributes["name"] ?? element.value("NAME"), !name.isEmpty else {
                    throw XMLAPIFault.columnWithoutName
                }
                return (name, element.attributes["name"] == nil ? element.value("VALUE") ?? "" : element.text)
            }
        }
    }

    private static func pairs(_ elements: [XMLTree], _ fault: XMLAPIFault) throws -> Pairs {
        try elements.map { element in
            let name = element.value("NAME")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            guard !name.isEmpty else { throw fault }
            return (name, element.children(named: "VALUE").map(\.text).joined(separator: ";"))
        }
    }
}
