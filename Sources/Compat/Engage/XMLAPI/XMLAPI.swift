public import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayWire
@_spi(Inlay) public import InlayXMLAPI
internal import InlayCore

/// EngageSDK's request to the marketing database. It is built from dictionaries; all values are escaped.
///
/// New code should use `XMLAPIRequest`.
public final class XMLAPI: NSObject, Sendable {
    private let state: Locked<XMLAPIRequest>

    /// Creates a request from one of InlayXMLAPI's.
    public init(_ request: XMLAPIRequest) { state = Locked(request) }

    /// Returns an empty request for an operation.
    public static func resourceNamed(_ name: String) -> XMLAPI {
        XMLAPI(XMLAPIRequest(XMLAPIRequest.Operation(rawValue: name)))
    }

    /// Returns a request for an operation, with elements; see `addParams`.
    public static func resourceNamed(_ name: String, params: [String: Any]) -> XMLAPI {
        let resource = resourceNamed(name)
        resource.addParams(params)
        return resource
    }

    /// Adds elements. They are sent after `LIST_ID`, sorted by name.
    ///
    /// The value of `COLUMNS` and `SYNC_FIELDS` is a dictionary, that of `CONTACT_LISTS` an array of ids, and that of
    /// `ROWS` an array of dictionaries. Every other value becomes an element with a text.
    public func addParams(_ params: [String: Any]) {
        state.withLock { request in
            for (name, value) in params {
                switch (name, value) {
                case ("COLUMNS", let columns as [String: Any]): Self.add(columns, to: &request.columns)
                case ("SYNC_FIELDS", let fields as [String: Any]): Self.add(fields, to: &request.syncFields)
                case ("CONTACT_LISTS", let ids as [Any]):
                    request.contactLists += ids.map { EngageText.text($0) }
                case ("ROWS", let rows as [[String: Any]]): request.rows += rows.map(Self.fields)
                default: request[name] = EngageText.text(value)
                }
            }
            request.values.sort { $0.name < $1.name }
        }
    }

    /// Adds columns to search by, or to set.
    public func addColumns(_ columns: [String: Any]) {
        state.withLock { Self.add(columns, to: &$0.columns) }
    }

    /// Adds the fields by which the database finds an existing contact.
    public func addSyncFields(_ fields: [String: Any]) {
        state.withLock { Self.add(fields, to: &$0.syncFields) }
    }

    /// Adds ids of contact lists to which the contact is to be added.
    public func addContactLists(_ ids: [Any]) {
        state.withLock { $0.contactLists += ids.map { EngageText.text($0) } }
    }

    /// Adds rows of a relational table.
    public func addRows(_ rows: [[String: Any]]) { state.withLock { $0.rows += rows.map(Self.fields) } }

    /// The request as InlayXMLAPI's type, without the configured list.
    public var request: XMLAPIRequest { state.withLock { $0 } }

    /// The XML of the request, with the configured list when the request names none; `nil` when a value cannot be
    /// represented in XML. Posting such a request fails.
    public var envelope: String? {
        try? request.filled(listID: EngageConfigManager.sharedInstance().listID).envelope.xml()
    }

    private static func add(_ values: [String: Any], to fields: inout [XMLAPIRequest.Field]) {
        let names = Set(values.keys)
        fields = fields.filter { !names.contains($0.name) } + Self.fields(values)
        fields.sort { $0.name < $1.name }
    }

    private static func fields(_ values: [String: Any]) -> [XMLAPIRequest.Field] {
        values.sorted { $0.key < $1.key }.map { XMLAPIRequest.Field($0.key, EngageText.text($0.value)) }
    }
}
