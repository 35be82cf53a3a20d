import Foundation
@_spi(Inlay) import InlayWire
import NIOCore
import Testing

@testable import InlayBehaviorsServer

extension BehaviorSite {
    /// Posts an operation as the form field `xml` and returns the response, whose status is 200 even for a fault.
    func xml(
        _ operation: String, _ inside: String = "", headers: [String: String]? = nil
    ) async throws -> TestXMLResponse {
        try await xmlDocument(
            "<Envelope><Body><\(operation)>\(inside)</\(operation)></Body></Envelope>", headers: headers)
    }

    func xmlDocument(_ document: String, headers: [String: String]? = nil) async throws -> TestXMLResponse {
        let answer = try await Self.form(app, "/XMLAPI", [("xml", document)], headers: headers ?? bearer)
        #expect(answer.status == 200, "\(answer.text)")
        return try TestXMLResponse(answer.body)
    }

    /// Posts XML as the request's whole body.
    func xmlBody(
        _ body: String, type: String = "text/xml", headers: [String: String]? = nil
    ) async throws -> TestAppResponse {
        let headers = (headers ?? bearer).merging(["Content-Type": type]) { given, _ in given }
        return try await app.send("POST", "/XMLAPI", headers: headers, body: .bytes(ByteBuffer(string: body)))
    }

    /// Creates a contact database with a column of every type.
    func database(key: Bool = true) async throws -> ContactList {
        var columns = ContactStore.standardColumns.map {
            ContactColumn($0.name, $0.type, isKey: $0.isKey && key)
        }
        columns += [
            ContactColumn("Customer Id"), ContactColumn("Age", .numeric), ContactColumn("Born", .date),
            ContactColumn("Club", .yesNo, defaultValue: "No"), ContactColumn("Wakes", .time),
            ContactColumn("Seen", .timestamp), ContactColumn("Color", .selectOne, choices: ["Red", "Blue"]),
            ContactColumn("Likes", .multiSelect, choices: ["Sea", "Land"]), ContactColumn("Phone", .phone),
        ]
        return try await behaviors.contacts.createDatabase(environmentID, name: "Guests", columns: columns)
    }

    static func column(_ name: String, _ value: String, _ element: String = "COLUMN") -> String {
        "<\(element)><NAME>\(name)</NAME><VALUE>\(value)</VALUE></\(element)>"
    }
}

/// A response of XMLAPI.
struct TestXMLResponse: Sendable {
    let tree: XMLTree

    init(_ body: Data) throws { tree = try XMLTree(reading: body, limits: .xmlapi) }

    private static let containers = ["Envelope", "Body", "RESULT"]

    subscript(_ path: String) -> String? { tree.first(path, through: Self.containers)?.text }

    var isSuccess: Bool { self["SUCCESS"]?.lowercased() == "true" }
    /// The fault's number; `nil` without a fault.
    var fault: Int? { self["Fault.detail.error.errorid"].flatMap { Int($0) } }
    /// The id of the contact that was added or found.
    var recipientID: Int64? { self["RecipientId"].flatMap { Int64($0) } }

    /// Values by column name.
    var columns: [String: String] {
        let columns = tree.first("COLUMNS", through: Self.containers)?.children(named: "COLUMN") ?? []
        return Dictionary(columns.map { ($0.value("NAME") ?? "", $0.value("VALUE") ?? "") }) { $1 }
    }
}
