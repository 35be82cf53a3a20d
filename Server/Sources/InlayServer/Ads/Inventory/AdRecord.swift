import InlaySQL
import InlayWire

/// Something that people set up for the exchange: it has an id, a name and a switch.
///
/// All kinds are kept in tables of one shape, so one store reads, writes and lists them.
package protocol AdRecord: Codable, Hashable, Sendable, Identifiable where ID == String {
    /// Where it is kept.
    static var table: AdRecordTable { get }
    /// Unique in its environment; publishers' and units' ids are unique everywhere.
    var id: String { get }
    /// What it belongs to; empty when it stands for itself.
    var parentID: String { get }
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

/// The tables of records, and what each is called and belongs to.
package enum AdRecordTable: String, CaseIterable, Sendable {
    /// Whose apps they are.
    case publishers = "ad_publishers"
    /// Apps of publishers.
    case apps = "ad_apps"
    /// Places in apps.
    case units = "ad_units"
    /// What is shown for its own sake.
    case campaigns = "ad_campaigns"
    /// What a campaign shows.
    case creatives = "ad_creatives"
    /// Who is asked for bids.
    case bidders = "ad_bidders"
    /// What was agreed with bidders.
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

    /// Where the thing that it belongs to is kept.
    package var parent: AdRecordTable? {
        switch self {
        case .apps: .publishers
        case .units: .apps
        case .creatives: .campaigns
        case .publishers, .campaigns, .bidders, .deals: nil
        }
    }

    /// What belongs to it, and goes with it.
    var children: [AdRecordTable] { Self.allCases.filter { $0.parent == self } }
}

/// A record with what the database knows about it.
package struct AdStored<Record: AdRecord>: Hashable, Sendable {
    /// The record.
    package let record: Record
    /// Grows with every change.
    package let revision: Int64
    /// When it was made.
    package let createdAt: Timestamp
    /// When it was changed last.
    package let updatedAt: Timestamp

    init(_ row: SQLRow) throws {
        record = try CardJSON.value(try row.text("settings"))
        revision = try row.int64("revision")
        createdAt = try row.moment("created_at")
        updatedAt = try row.moment("updated_at")
    }
}
