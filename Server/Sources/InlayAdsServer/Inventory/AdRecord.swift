import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// Something that people set up for the exchange: it has an id, a name and a switch.
///
/// All kinds are kept in tables of one shape, so one store reads, writes and lists them.
package protocol AdRecord: Codable, Hashable, Sendable, Identifiable where ID: RecordID {
    /// The type of the id of the record that it belongs to.
    associatedtype ParentID: RecordID = AdNoParentID
    /// The table that keeps it.
    static var table: AdRecordTable { get }
    /// Unique in its environment; publishers' and units' ids are unique everywhere.
    var id: ID { get }
    /// The id of the record that it belongs to; empty for a top-level record.
    var parentID: ParentID { get }
    /// For people.
    var name: String { get }
    /// Off, it takes part in nothing.
    var isEnabled: Bool { get set }

    /// The addresses that this server will call for it, with the fields that they stand in.
    var calledAddresses: [(field: String, url: String)] { get }

    /// The record as it is kept; throws ``FieldErrors`` for what cannot be used.
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

/// The tables of records, and what each is called and belongs to.
package enum AdRecordTable: String, CaseIterable, Sendable {
    /// The owners of apps.
    case publishers = "ad_publishers"
    /// Apps of publishers.
    case apps = "ad_apps"
    /// Places in apps.
    case units = "ad_units"
    /// Campaigns, which are served without a bid request.
    case campaigns = "ad_campaigns"
    /// The creatives of campaigns.
    case creatives = "ad_creatives"
    /// The bidders that are asked for bids.
    case bidders = "ad_bidders"
    /// The deals with bidders.
    case deals = "ad_deals"

    /// The word for one of them.
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

    /// The table of the record that it belongs to.
    package var parent: AdRecordTable? {
        switch self {
        case .apps: .publishers
        case .units: .apps
        case .creatives: .campaigns
        case .publishers, .campaigns, .bidders, .deals: nil
        }
    }

    /// The tables whose records belong to its records and are deleted with them.
    var children: [AdRecordTable] { Self.allCases.filter { $0.parent == self } }
}

/// A record with what the database knows about it.
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
