import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A record that operators configure for the ad exchange. It has an id and a name, and can be disabled.
///
/// The tables of all kinds have the same columns, so one store reads, writes and lists them.
package protocol AdRecord: Codable, Hashable, Sendable, Identifiable where ID: RecordID {
    /// The type of the parent record's id.
    associatedtype ParentID: RecordID = AdNoParentID
    /// The table of this kind of record.
    static var table: AdRecordTable { get }
    /// The record's id, unique in its environment; ids of publishers and units are unique across all environments.
    var id: ID { get }
    /// The id of the parent record; empty for a top-level record.
    var parentID: ParentID { get }
    /// The name that the Workbench shows.
    var name: String { get }
    /// Whether the record is active. An inactive record is not used to serve ads.
    var isEnabled: Bool { get set }

    /// The addresses that this server calls for the record, each with the name of its field.
    var calledAddresses: [(field: String, url: String)] { get }

    /// Returns the record as it is stored; throws ``FieldErrors`` for invalid fields.
    func checked() throws -> Self
}

extension AdRecord {
    package var calledAddresses: [(field: String, url: String)] { [] }
}

extension AdRecord where ParentID == AdNoParentID {
    package var parentID: AdNoParentID { AdNoParentID("") }
}

/// The parent's id of a top-level record; always empty.
package struct AdNoParentID: RecordID {
    package let rawValue: String

    package init(verified rawValue: String) { self.rawValue = rawValue }
}

/// The tables of records, each with its noun and its parent table.
package enum AdRecordTable: String, CaseIterable, Sendable {
    /// The owners of apps.
    case publishers = "ad_publishers"
    /// Apps of publishers.
    case apps = "ad_apps"
    /// Ad units, the placements in apps.
    case units = "ad_units"
    /// Campaigns, which are served without a bid request.
    case campaigns = "ad_campaigns"
    /// The creatives of campaigns.
    case creatives = "ad_creatives"
    /// The bidders that are asked for bids.
    case bidders = "ad_bidders"
    /// The deals with bidders.
    case deals = "ad_deals"

    /// The noun for a record of the table, for messages.
    package var noun: String {
        switch self {
        case .publishers: "publisher"
        case .apps: "ad app"
        case .units: "ad unit"
        case .campaigns: "ad campaign"
        case .creatives: "creative"
        case .bidders: "bidder"
        case .deals: "deal"
        }
    }

    /// The table of the parent records; `nil` when the records are top-level.
    package var parent: AdRecordTable? {
        switch self {
        case .apps: .publishers
        case .units: .apps
        case .creatives: .campaigns
        case .publishers, .campaigns, .bidders, .deals: nil
        }
    }

    /// The tables whose records have a parent in this table and are deleted with it.
    var children: [AdRecordTable] { Self.allCases.filter { $0.parent == self } }
}

/// A stored record with its revision and times.
package struct AdStored<Record: AdRecord>: Hashable, Sendable {
    /// The record.
    package let record: Record
    /// Grows with every change.
    package let revision: Int64
    /// The time of its creation.
    package let createdAt: Timestamp
    /// The time of its last change.
    package let updatedAt: Timestamp

    init(_ row: SQLRow) throws {
        record = try JSONColumn.value(try row.text("settings"))
        revision = try row.int64("revision")
        createdAt = try row.moment("created_at")
        updatedAt = try row.moment("updated_at")
    }
}
